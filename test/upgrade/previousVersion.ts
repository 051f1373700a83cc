import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { NotHereError } from '../support/fetchMysql.ts';
import { engineCache } from '../support/startTestServer.ts';

/** A version of ours that was released before, built and ready to run. */
export interface PreviousVersion {
  readonly name: string;
  /** The path of its built `main.js`. */
  readonly main: string;
}

/** `killed`: at its time-out. */
type ExecError = Error & { stderr?: string; killed?: boolean };

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
/** What was released, newest first: a clone need not have the tags, a history has the commits. */
const releases = {
  '0.5.0': '7ce30b4c33730dc71b88bc9088215d9ed577eaf4',
  '0.4.0': '28aed5253a05deea74154a7543f09cce85cb6d29',
  '0.3.0': '5a2a3e54c18da7b958c697c1c622fe4ef7d5487d',
  '0.2.0': '551dc4e65e267eefd98625b449d9c3abce61ace6',
  '0.1.0': '0e3033c6ba5d81230bc3657e35810adb15c76871',
};
const buildMsMax = 180_000;
const outputBytesMax = 64 * 1024 * 1024;

/**
 * The newest release that is not this version, or the given one, built in the cache of the tests,
 * once for each commit.
 * @param asked a release (`0.2.0`), a tag or a commit
 * @throws NotHereError without git, in a tarball, in a clone without history, without its registry
 */
export async function previousVersion(
  asked: string | null,
  report: (line: string) => void,
): Promise<PreviousVersion> {
  const top = await git('rev-parse', '--show-toplevel');
  // A tarball may lie in somebody else's repository.
  if (top !== root) throw new NotHereError('the previous version: this is no git checkout');
  const name = asked ?? (await newestOther());
  const release = Object.entries(releases).find(([version]) => version === name);
  const commit = await git('rev-parse', '--verify', `${release?.[1] ?? name}^{commit}`);
  const folder = path.join(engineCache(), 'versions', commit.slice(0, 12));
  const main = path.join(folder, 'dist/src/cli/main.js');
  const isThere = await access(main).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    report(`building ${name}`);
    await build(commit, folder);
  }
  return { name, main };
}

async function newestOther(): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const name = Object.keys(releases).find((release) => release !== version);
  if (name === undefined) throw new Error('no version was released before this one');
  return name;
}

async function git(...args: string[]): Promise<string> {
  try {
    const { stdout } = await execute('git', ['-C', root, ...args]);
    return stdout.trim();
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const why = (stderr.trim() || message).split('\n')[0];
    throw new NotHereError(`the previous version: git ${args[0]}: ${why}`);
  }
}

/** Whoever builds the same at the same time renames first, or finds it there. */
async function build(commit: string, folder: string): Promise<void> {
  const parent = path.dirname(folder);
  await mkdir(parent, { recursive: true });
  const making = await mkdtemp(path.join(parent, 'making-'));
  try {
    const archive = path.join(making, 'source.tar');
    await execute('git', ['-C', root, 'archive', '--format=tar', '-o', archive, commit]);
    await execute('tar', ['-xf', archive, '-C', making]);
    await rm(archive);
    // Its `prepare` builds it; then what only its tests need goes.
    await npm(making, 'ci');
    await npm(making, 'prune', '--omit=dev', '--ignore-scripts');
    await rename(making, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function npm(folder: string, ...args: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund'];
  try {
    await execute('npm', [...args, ...quiet], {
      cwd: folder,
      timeout: buildMsMax,
      maxBuffer: outputBytesMax,
      env: cleanEnvironment(),
    });
  } catch (error) {
    const { stderr = '', message, killed } = error as ExecError;
    const why = `npm ${args[0]}: ${stderr.trim().slice(-1_000) || message}`;
    // That a lock file does not install is a fault of ours; that nobody answers in time is not.
    if (killed === true || unreachable.test(why))
      throw new NotHereError(`the previous version: ${why}`);
    throw new Error(`the previous version cannot be installed: ${why}`);
  }
}

/** What an outer `npm test` says of itself is not for the npm that runs here. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(
    entries.filter(([name]) => !/^npm_(package|lifecycle|command|execpath)/.test(name)),
  );
}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOENT/;
