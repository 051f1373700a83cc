import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Check } from '../../store/doctor/doctorCheck.ts';

const run = promisify(execFile);

/** What a node needs of the machine that it runs on, and of the secret files that it is given. */
export async function checkMachine(secretFiles: readonly string[]): Promise<Check[]> {
  return [
    checkNodeVersion(),
    await checkProgram('bash', ['--version'], 'Jobs are run by bash: install it.'),
    await checkProgram('perl', ['-e', 'print "perl $^V"'], 'Install perl (perl-base on Debian).'),
    checkProcessFolder(),
    checkZones(),
    ...secretFiles.flatMap(checkSecretFile),
  ];
}

function checkSecretFile(file: string): Check[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & 0o004) === 0) return [];
  return [
    {
      check: 'secret file',
      status: 'warn',
      message: `every user of this machine, and so every job, may read ${file}`,
      hint: `Unless this is a container of its own: chmod o-r ${file}`,
    },
  ];
}

function checkNodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return {
    check: 'node',
    status: isEnough ? 'ok' : 'fail',
    message: `Node.js ${process.versions.node}`,
    hint: isEnough ? null : 'Node.js 20.19 or later is needed.',
  };
}

async function checkProgram(name: string, args: readonly string[], hint: string): Promise<Check> {
  try {
    const { stdout } = await run(name, [...args], { timeout: 5_000 });
    return { check: name, status: 'ok', message: stdout.split('\n', 1)[0] ?? '', hint: null };
  } catch (error) {
    const message = `it cannot be run: ${(error as Error).message.split('\n', 1)[0]}`;
    return { check: name, status: 'fail', message, hint };
  }
}

function checkProcessFolder(): Check {
  const isThere = existsSync('/proc/self/stat');
  return {
    check: 'processes',
    status: isThere ? 'ok' : 'fail',
    message: isThere ? '/proc can be read' : '/proc cannot be read',
    hint: isThere
      ? null
      : 'Nodes run on Linux with /proc mounted: it tells what a job left running.',
  };
}

/** A Node without full ICU data knows few zones or none. */
function checkZones(): Check {
  const zones = Intl.supportedValuesOf('timeZone').length;
  const version = process.versions.tz ?? 'unknown';
  const isEnough = zones > 300;
  return {
    check: 'time zones',
    status: isEnough ? 'ok' : 'fail',
    message: `${zones} zones, data ${version}`,
    hint: isEnough ? null : 'Use a Node.js with full ICU data (the official ones have it).',
  };
}
