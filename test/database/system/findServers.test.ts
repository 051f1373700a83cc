import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import {
  defaultSearchPath,
  findServers,
  launcherOf,
} from '../../../src/database/system/findServers.ts';
import { temporaryFolder } from '../server/startOwner.ts';

test('the folders of system programs are searched, though PATH leaves them out', () => {
  const searchPath = defaultSearchPath({ PATH: '/home/x/bin:relative::/usr/bin' });
  assert.equal(searchPath[0], '/home/x/bin');
  for (const folder of ['/usr/sbin', '/usr/libexec', '/usr/local/sbin', '/usr/local/mysql/bin']) {
    assert.ok(searchPath.includes(folder), folder);
  }
  assert.ok(searchPath.every((folder) => path.isAbsolute(folder)));
});

test('what cannot be used is passed over and named with the reason', async (t) => {
  const root = await temporaryFolder(t);
  await install(root, 'old/bin/mysqld', 'echo "mysqld  Ver 10.3.39-MariaDB for Linux"');
  await install(root, 'broken/bin/mariadbd', 'echo "libaio.so.1: not found" >&2; exit 127');
  await install(root, 'empty/bin/mariadbd', 'echo "mariadbd  Ver 10.11.2-MariaDB for Linux"');
  await install(root, 'good/bin/mysqld', 'echo "mysqld  Ver 8.4.3 for Linux on x86_64"');
  await install(root, 'closed/bin/mysqld', 'echo "mysqld  Ver 8.4.3 for Linux on x86_64"', 0o644);
  const folders = ['old', 'broken', 'empty', 'closed', 'missing', 'good'];
  const found = await findServers(folders.map((name) => path.join(root, name, 'bin')));
  assert.deepEqual(
    found.servers.map(({ flavour, version }) => ({ flavour, version })),
    [{ flavour: 'mysql', version: '8.4.3' }],
  );
  for (const reason of [/10\.3\.39, older than/, /libaio/, /without the SQL files/, /executed/]) {
    assert.equal(found.rejected.filter((line) => reason.test(line)).length, 1, String(reason));
  }
});

test('a server under two names and in two linked folders is one', async (t) => {
  const root = await temporaryFolder(t);
  await install(root, 'real/mysqld', 'echo "mysqld  Ver 9.1.0 for Linux on x86_64"');
  await symlink('mysqld', path.join(root, 'real/mariadbd'));
  await symlink('real', path.join(root, 'linked'));
  const found = await findServers([path.join(root, 'linked'), path.join(root, 'real')]);
  assert.equal(found.servers.length, 1);
});

test('what is unpacked finds the libraries that one package keeps to itself', async (t) => {
  const root = await temporaryFolder(t);
  const libraries = path.join(root, 'usr/lib/x86_64-linux-gnu');
  await install(libraries, 'libpulse.so.0', '');
  await install(libraries, 'pulseaudio/libpulsecommon-16.1.so', '');
  await install(libraries, 'cmake/config.cmake', '');
  assert.deepEqual((await launcherOf(root)).env, {
    LD_LIBRARY_PATH: `${libraries}:${libraries}/pulseaudio`,
  });
});

async function install(root: string, file: string, script: string, mode = 0o755): Promise<void> {
  const program = path.join(root, file);
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, mode);
}
