import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestContext } from 'node:test';
import test from 'node:test';
import type { DebianRequest } from '../../../src/database/fetch/fetchDebianPackages.ts';
import { fetchDebianPackages } from '../../../src/database/fetch/fetchDebianPackages.ts';
import { debianMirror } from '../../support/fetchMysql.ts';
import { temporaryFolder } from '../server/startOwner.ts';
import { makeDebianRepository } from './debianRepository.ts';

const noApt = (await stat('/usr/bin/apt-get').catch(() => undefined)) === undefined;
const options = noApt ? { skip: 'not run: this is not Debian, there is no apt' } : {};

for (const scheme of ['copy', 'file'] as const) {
  const title = `packages of a ${scheme} source are unpacked with what they need, none installed`;
  test(title, options, async (t) => {
    const request = await makeRequest(t, {}, scheme);
    const parent = path.dirname(request.folder);
    const before = await systemState();
    assert.deepEqual(await fetchDebianPackages(request), { fetched: true, packageCount: 2 });
    const tool = await readFile(path.join(request.folder, 'usr/bin/test-server'), 'utf8');
    assert.equal(tool, 'the server');
    assert.equal((await stat(path.join(request.folder, 'usr/lib/test-library'))).isFile(), true);
    assert.deepEqual((await readdir(parent)).sort(), ['engine', 'engine.lock', 'repository']);
    assert.deepEqual(await systemState(), before, 'the system is as it was');
    const trace = path.join(parent, 'repository/installed');
    await assert.rejects(stat(trace), { code: 'ENOENT' }, 'no script of a package ran');
  });
}

test('a package that is installed already is fetched all the same', options, async (t) => {
  // `dpkg` is on every system that gets this far.
  const request = await makeRequest(t, { packages: ['dpkg'] });
  assert.deepEqual(await fetchDebianPackages(request), { fetched: true, packageCount: 1 });
});

test('the first package that the sources have is taken', options, async (t) => {
  const request = await makeRequest(t, { packages: ['not-there', 'test-library', 'test-server'] });
  assert.deepEqual(await fetchDebianPackages(request), { fetched: true, packageCount: 1 });
});

test('what the sources do not have is told, and no half folder is left', options, async (t) => {
  const request = await makeRequest(t, { packages: ['not-there'] });
  const outcome = await fetchDebianPackages(request);
  assert.equal(outcome.fetched, false);
  assert.match(outcome.fetched ? '' : outcome.reason, /have no not-there/);
  assert.deepEqual((await readdir(path.dirname(request.folder))).sort(), [
    'engine.lock',
    'repository',
  ]);
});

test('a package that was damaged on its way is not unpacked', options, async (t) => {
  const request = await makeRequest(t, {}, 'file');
  const deb = path.join(path.dirname(request.folder), 'repository/test-library.deb');
  await writeFile(deb, Buffer.from((await readFile(deb)).map((byte) => byte ^ 1)));
  const outcome = await fetchDebianPackages(request);
  assert.equal(outcome.fetched, false);
  await assert.rejects(stat(request.folder), { code: 'ENOENT' });
});

test('a download that was killed half way is begun anew', options, async (t) => {
  const request = await makeRequest(t);
  const half = `${request.folder}.part-killed`;
  await mkdir(path.join(half, 'root/usr/bin'), { recursive: true });
  assert.equal((await fetchDebianPackages(request)).fetched, true);
  await assert.rejects(stat(half), { code: 'ENOENT' });
});

test('of two that want the same folder one fetches and both have it', options, async (t) => {
  const request = await makeRequest(t);
  const outcomes = await Promise.all([fetchDebianPackages(request), fetchDebianPackages(request)]);
  const counts = outcomes.map((outcome) => outcome.fetched && outcome.packageCount);
  assert.deepEqual(counts.sort(), [0, 2]);
});

test('an abort ends apt and leaves no half folder', options, async (t) => {
  const controller = new AbortController();
  const request = await makeRequest(t, {
    signal: controller.signal,
    report: (line) => line.startsWith('Unpacking') && controller.abort(),
  });
  await assert.rejects(fetchDebianPackages(request), { name: 'AbortError' });
  const names = await readdir(path.dirname(request.folder));
  assert.deepEqual(names.sort(), ['engine.lock', 'repository']);
});

test("the mirror of Debian is found in both of apt's formats", async (t) => {
  const etc = await temporaryFolder(t);
  assert.equal(await debianMirror(etc), undefined);
  await mkdir(path.join(etc, 'sources.list.d'));
  const classic = [
    '# deb http://commented.example/debian sid main',
    'deb [arch=amd64 signed-by=/k.gpg] https://other.example/apt stable main',
    'deb http://security.example/debian-security bookworm-security main',
    'deb [arch=amd64] http://classic.example/debian bookworm main',
  ];
  await writeFile(path.join(etc, 'sources.list'), classic.join('\n'));
  assert.equal(await debianMirror(etc), 'http://classic.example/debian');
  await rm(path.join(etc, 'sources.list'));
  const stanza = 'Types: deb\nURIs: http://deb.example/debian\nSuites: bookworm\n';
  await writeFile(path.join(etc, 'sources.list.d/debian.sources'), stanza);
  assert.equal(await debianMirror(etc), 'http://deb.example/debian');
});

async function makeRequest(
  t: TestContext,
  changes: Partial<DebianRequest> = {},
  scheme: 'copy' | 'file' = 'copy',
): Promise<DebianRequest> {
  const folder = await temporaryFolder(t);
  const source = await makeDebianRepository(
    path.join(folder, 'repository'),
    [
      {
        name: 'test-server',
        depends: 'test-library (>= 1:1)',
        files: { 'usr/bin/test-server': 'the server' },
      },
      { name: 'test-library', files: { 'usr/lib/test-library': 'the library' } },
      { name: 'dpkg', control: await installedControl('dpkg'), files: { 'bin/x': 'x' } },
    ],
    scheme,
  );
  return {
    packages: ['test-server'],
    folder: path.join(folder, 'engine'),
    sources: [source],
    installed: 'system',
    report: () => undefined,
    ...changes,
  };
}

/** What the system's package says of itself, so that apt takes the two for the same. */
async function installedControl(name: string): Promise<string> {
  const status = await readFile('/var/lib/dpkg/status', 'utf8');
  const stanza = status.split('\n\n').find((text) => text.startsWith(`Package: ${name}\n`)) ?? '';
  const fields = stanza.split(/\n(?! )/);
  const kept = fields.filter((field) => !/^(Status|Conffiles|Config-Version)/.test(field));
  return `${kept.join('\n')}\n`;
}

/** What apt and dpkg change when they work on the system. */
async function systemState(): Promise<unknown> {
  const files = ['/var/lib/dpkg/status', '/var/lib/apt/lists', '/var/lib/apt/extended_states'];
  files.push('/var/cache/apt/archives', '/var/cache/apt/pkgcache.bin', '/var/log/apt');
  const states = files.map(async (file) => (await stat(file).catch(() => undefined))?.mtimeMs);
  return await Promise.all(states);
}
