import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { NotHereError } from '../support/fetchMysql.ts';
import { engineCache } from '../support/startTestServer.ts';

/** A version of ours that was released before, built and ready to run. */
export interface PreviousVersion {
  readonly tag: string;
  /** The path of its built `main.js`. */
  readonly main: string;
}

const execute = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const buildMsMax = 180_000;
const outputBytesMax = 64 * 1024 * 1024;

/**
 * The newest tag before the commit that is checked out, or the given one, built in the cache of
 * the tests, once for each commit.
 * @throws NotHereError without git, in a tarball, in a clone without tags, without its registry
 */
export async function previousVersion(
  tag: string | null,
  report: (line: string) => void,
): Promise<PreviousVersion> {
  const found = tag ?? (await newestTagBefore());
  const commit = await git('rev-parse', `${found}^{commit}`);
  const folder = path.join(engineCache(), 'versions', `${found}-${commit.slice(0, 12)}`);
  const main = path.join(folder, 'dist/src/cli/main.js');
  const isThere = await access(main).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    report(`building ${found}`);
    await build(commit, folder);
  }
  return { tag: found, main };
}

/** The tag that stands before the commit, so that a release is tried beside the one before it. */
async function newestTagBefore(): Promise<string> {
  const top = await git('rev-parse', '--show-toplevel');
  // A tarball may lie in somebody else's repository.
  if (top !== root) throw new NotHereError('the previous version: this is no git checkout');
  const match = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*'];
  return git(...match, 'HEAD^');
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
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const why = `npm ${args[0]}: ${stderr.trim().slice(-1_000) || message}`;
    // That a lock file does not install is a fault of ours; that nobody answers is not.
    if (unreachable.test(why)) throw new NotHereError(`the previous version: ${why}`);
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
