import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { exitCodes } from '../../domain/errors/errors.ts';
import { databaseFault } from '../../store/connection/databaseFault.ts';
import type { Check } from '../../store/doctor/doctorCheck.ts';
import { checkDatabase } from '../../store/doctor/doctorChecks.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { readDatabase } from '../connect/readDatabase.ts';
import { withChannel } from '../connect/withChannel.ts';
import type { DatabaseOptions } from '../options/clusterOptions.ts';
import { databaseFlags, secretFilesOf } from '../options/givenDatabase.ts';
import { localTimezone, withLocalInstants } from '../output/formatInstant.ts';
import { printJson, printLine } from '../output/print.ts';
import { forDatabase } from '../output/reportFault.ts';
import { stateCell } from '../output/table/cells.ts';
import { printTable } from '../output/table/printTable.ts';

/** `doctor`: resolves to the exit code. */
export async function doctorAction(
  options: DatabaseOptions & { json?: boolean; fix?: boolean },
): Promise<number> {
  const address = await readDatabase(options);
  const checks: Check[] = await checkMachine(secretFilesOf(options));
  let isAway = false;
  try {
    const isLocal = address.options.socketPath !== undefined;
    const how = { isFixing: options.fix === true, isLocal, version: packageVersion() };
    checks.push(...(await withChannel(address, (channel) => checkDatabase(channel, address, how))));
  } catch (error) {
    const fault = databaseFault(error);
    if (fault === null) throw error;
    isAway = fault.exitCode === exitCodes.databaseAway;
    checks.push({ check: 'database', status: 'fail', message: fault.message, hint: fault.hint });
  }
  const failed = checks.filter(isFailed).length;
  if (options.json) printJson({ database: address.shown, failed, checks });
  else printChecks(address.shown, checks, databaseFlags(options));
  if (isAway) return exitCodes.databaseAway;
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

const isFailed = ({ status }: Check): boolean => status === 'fail';

const statusTexts = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const;

function printChecks(shown: string, checks: readonly Check[], flags: string): void {
  printLine(`Database: ${shown}`);
  printTable(
    [
      { heading: '', of: ([status]) => stateCell(status) },
      { heading: 'CHECK', of: ([, check]) => check },
      {
        heading: 'WHAT',
        of: ([, , what]) => withLocalInstants(what, localTimezone()),
        wrapTo: 30,
      },
    ],
    checks.flatMap(({ check, status, message, hint }): [string, string, string][] => [
      [statusTexts[status], check, message],
      ...(status === 'ok' || hint === null
        ? []
        : ([['', '', `→ ${forDatabase(hint, flags)}`]] satisfies [string, string, string][])),
    ]),
  );
  const failed = checks.filter(isFailed).length;
  printLine(
    failed === 0
      ? 'Nothing fails.'
      : `${failed} of ${checks.length} checks ${failed === 1 ? 'fails' : 'fail'}.`,
  );
}

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
  const message = `every user of this machine, and so every job, may read ${file}`;
  const hint = `Unless this is a container of its own: chmod o-r ${file}`;
  return [{ check: 'secret file', status: 'warn', message, hint }];
}

async function checkProgram(name: string, args: readonly string[], hint: string): Promise<Check> {
  try {
    const { stdout } = await run(name, [...args], { timeout: 5_000 });
    return checkOf(name, true, stdout.split('\n', 1)[0] ?? '', hint);
  } catch (error) {
    const [why] = (error as Error).message.split('\n', 1);
    return checkOf(name, false, `it cannot be run: ${why}`, hint);
  }
}

function checkProcessFolder(): Check {
  const isThere = existsSync('/proc/self/stat');
  const message = isThere ? '/proc can be read' : '/proc cannot be read';
  const hint = 'Nodes run on Linux with /proc mounted: it shows what a job left running.';
  return checkOf('processes', isThere, message, hint);
}

function checkNodeVersion(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  const message = `Node.js ${process.versions.node}`;
  return checkOf('node', isEnough, message, 'Node.js 20.19 or later is needed.');
}

/** A Node without full ICU data knows few zones or none. */
function checkZones(): Check {
  const zones = Intl.supportedValuesOf('timeZone').length;
  const message = `${zones} zones, data ${process.versions.tz ?? 'unknown'}`;
  const hint = 'Use a Node.js with full ICU data (the official ones have it).';
  return checkOf('time zones', zones > 300, message, hint);
}

function checkOf(check: string, isOk: boolean, message: string, hint: string): Check {
  return { check, status: isOk ? 'ok' : 'fail', message, hint: isOk ? null : hint };
}
