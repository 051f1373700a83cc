import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockFile } from '../system/lockFile.ts';
import { runCommand } from '../system/runCommand.ts';

/** What to get and where to put it. */
export interface DebianRequest {
  /** The first of these that the sources have is fetched. */
  packages: readonly string[];
  /** Folder to unpack into; it appears complete or not at all. */
  folder: string;
  /** Lines of a sources.list of its own; without it the system's sources and pins are used. */
  sources?: readonly string[];
  /**
   * `system`: libraries that the system has are left out. `nothing`: all dependencies are fetched,
   * libc included, which is what packages of another release need.
   */
  installed: 'system' | 'nothing';
  report: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** `reason` is a clause for people. */
type DebianOutcome = { fetched: true; packageCount: number } | { fetched: false; reason: string };

const waitMsMax = 20 * 60_000;
const updateMsMax = 5 * 60_000;
const lookMsMax = 60_000;
const downloadMsMax = 15 * 60_000;
const unpackMsMax = 2 * 60_000;

/**
 * Downloads Debian packages with what they need and unpacks them into a folder, without root and
 * without changing the system: apt works on a state of its own and installs nothing, `dpkg-deb -x`
 * only unpacks. Of several processes that want the same folder one fetches and the others wait; a
 * folder that is there is left as it is.
 */
export async function fetchDebianPackages(request: DebianRequest): Promise<DebianOutcome> {
  const parent = path.dirname(request.folder);
  await mkdir(parent, { recursive: true });
  const { handle, held } = await lockFile(`${request.folder}.lock`, waitMsMax, request.signal);
  try {
    if (await isFolder(request.folder)) return { fetched: true, packageCount: 0 };
    if (!held) return refused('another process takes too long to fetch it', '');
    // What an earlier process left half done; we hold the lock, so nobody works on it.
    const half = `${path.basename(request.folder)}.part-`;
    for (const name of await readdir(parent)) {
      if (name.startsWith(half)) await rm(path.join(parent, name), { recursive: true });
    }
    const work = await mkdtemp(`${request.folder}.part-`);
    try {
      const outcome = await fetchInto(work, request);
      if (outcome.fetched) await rename(path.join(work, 'root'), request.folder);
      return outcome;
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  } finally {
    await handle.close();
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true;
}

async function fetchInto(work: string, request: DebianRequest): Promise<DebianOutcome> {
  const env = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C' };
  const aptEnv = { APT_CONFIG: path.join(work, 'apt.conf'), DEBIAN_FRONTEND: 'noninteractive' };
  const { signal } = request;
  const run = (command: string[], timeoutMs: number, onLine?: (line: string) => void) =>
    runCommand({ command, env: { ...env, ...aptEnv }, timeoutMs, signal, onLine });
  const dump = ['apt-config', 'dump', 'Acquire'];
  const settings = await runCommand({ command: dump, env, timeoutMs: 20_000 });
  if (settings.exitCode !== 0) return refused('there is no apt here', settings.tail);
  await prepareApt(work, request, settings.stdout);

  request.report('Reading the package lists of your apt sources …');
  // One dead third-party source fails the update; the others may have what is needed.
  const update = await run(['apt-get', '-q', 'update'], updateMsMax);
  const packageName = await choosePackage(request.packages, (command) => run(command, lookMsMax));
  if (packageName === undefined) {
    return refused(`the apt sources have no ${request.packages.join(', ')}`, update.tail);
  }
  const install = ['apt-get', '-q', '-y', '--no-install-recommends', '--download-only', 'install'];
  // Packages of `file:` sources, as on machines without a network, are not copied to the cache.
  const listed = await run([...install, '--print-uris', packageName], lookMsMax);
  const local = [...listed.stdout.matchAll(/^'file:(\/[^']+\.deb)'/gm)].map(
    ([, file = '']) => file,
  );
  const download = await run([...install, packageName], downloadMsMax, (line) => {
    const size = /^Need to get (?:\S+ \S+\/)?(.+?) of archives/.exec(line)?.[1];
    if (size !== undefined) request.report(`Downloading ${packageName}: ${size} …`);
  });
  if (download.exitCode !== 0) return refused(`${packageName} cannot be downloaded`, download.tail);

  const archives = path.join(work, 'cache/archives');
  const cached = (await readdir(archives)).filter((name) => name.endsWith('.deb'));
  const files = [...cached.map((name) => path.join(archives, name)), ...local.map(decodeURI)];
  if (files.length === 0) return refused(`${packageName} was not downloaded`, download.tail);
  request.report(`Unpacking ${files.length} package${files.length === 1 ? '' : 's'} …`);
  for (const file of files) {
    const unpack = await run(['dpkg-deb', '-x', file, path.join(work, 'root')], unpackMsMax);
    if (unpack.exitCode !== 0) return refused(`${file} cannot be unpacked`, unpack.tail);
  }
  return { fetched: true, packageCount: files.length };
}

async function choosePackage(
  packages: readonly string[],
  run: (command: string[]) => Promise<{ exitCode: number | null; stdout: string }>,
): Promise<string | undefined> {
  for (const name of packages) {
    const shown = await run(['apt-cache', 'policy', name]);
    if (/^ {2}Candidate: \d/m.test(shown.stdout)) return name;
  }
  return undefined;
}

async function prepareApt(work: string, request: DebianRequest, acquire: string): Promise<void> {
  for (const folder of ['state/lists/partial', 'cache/archives/partial', 'root', 'empty']) {
    await mkdir(path.join(work, folder), { recursive: true });
  }
  await writeFile(path.join(work, 'status'), await packageDatabase(request));
  await writeFile(path.join(work, 'sources.list'), `${(request.sources ?? []).join('\n')}\n`);
  const own = (name: string) => JSON.stringify(path.join(work, name));
  const settings = [
    // The system's settings are left out as a whole: they hold hooks that write outside of our
    // folder. Its proxies, mirrors and time-outs are taken over.
    acquire,
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";',
    'Acquire::IndexTargets::deb-src::Sources::DefaultEnabled "false";',
    'APT::Install-Recommends "false";',
    // As root apt would download as the user _apt, who may not write to our folder.
    process.getuid?.() === 0 ? 'APT::Sandbox::User "root";' : '',
    'Debug::NoLocking "true";',
    `Dir::State ${own('state')};`,
    `Dir::State::status ${own('status')};`,
    `Dir::Cache ${own('cache')};`,
    `Dir::Log ${own('empty')};`,
    `Dir::Etc::parts ${own('empty')};`,
    'Dir::Etc::main "/dev/null";',
  ];
  if (request.sources !== undefined) {
    settings.push(`Dir::Etc::sourcelist ${own('sources.list')};`);
    settings.push(`Dir::Etc::sourceparts ${own('empty')};`, `Dir::Etc::preferences "/dev/null";`);
    settings.push(`Dir::Etc::preferencesparts ${own('empty')};`);
  }
  await writeFile(path.join(work, 'apt.conf'), `${settings.join('\n')}\n`);
}

/**
 * What apt takes for installed: the system's packages without the wanted ones, so that these are
 * fetched even where they are installed and only their files are gone.
 */
async function packageDatabase(request: DebianRequest): Promise<string> {
  if (request.installed === 'nothing') return '';
  const status = await readFile('/var/lib/dpkg/status', 'utf8');
  const wanted = new Set(request.packages.map((name) => `Package: ${name}`));
  const stanzas = status.split('\n\n');
  return stanzas.filter((stanza) => !wanted.has(stanza.split('\n', 1)[0] ?? '')).join('\n\n');
}

function refused(what: string, tail: string): DebianOutcome {
  const last = tail
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-3)
    .join(' ');
  return { fetched: false, reason: last === '' ? what : `${what}: ${last}` };
}
