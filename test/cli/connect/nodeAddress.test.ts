import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { askCli } from '../askCli.ts';

/** Something that answers like a node that has no jobs, and keeps which tokens it was shown. */
async function makeNode(t: TestContext) {
  const tokens: (string | undefined)[] = [];
  const server = http.createServer((request, response) => {
    tokens.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'token_bad', detail: 'No.', hint: 'Take another.' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { tokens, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function makeFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-token-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'token');
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

test('URL and token of a node are found by flag and variable, in that order', async (t) => {
  const { url, tokens } = await makeNode(t);
  const file = await makeFile(t, 'of-a-file\n');
  const nowhere = 'http://127.0.0.1:1';
  const list = (args: string[], env: Record<string, string>) =>
    askCli(['job', 'list', ...args], { env });
  const refused = [
    await list(['--url', url, '--token-file', file], { STATECRON_TOKEN: 'x' }),
    await list(['--url', url], { STATECRON_URL: nowhere, STATECRON_TOKEN: 'of-a-variable' }),
    await list([], { STATECRON_URL: url, STATECRON_TOKEN_FILE: file, DATABASE_URL: 'mysql://x/y' }),
    await list(['--url', url], {}),
  ];
  for (const { code, stderr } of refused) {
    assert.equal(code, 78, stderr);
    assert.equal(stderr, 'statecron: No.\nhint: Take another.\n');
  }
  const expected = ['Bearer of-a-file', 'Bearer of-a-variable', 'Bearer of-a-file', undefined];
  assert.deepEqual(tokens, expected);
  const viaDatabase = await list(['--database-url', 'mysql://root@127.0.0.1:1/x'], {
    STATECRON_URL: url,
  });
  assert.match(viaDatabase.stderr, /database cannot be reached/);
  assert.equal(tokens.length, 4, 'a flag that names a database wins over the variable');
});

const wrong: readonly (readonly [string, string[], Record<string, string>, number, RegExp])[] = [
  ['no address at all', ['--url', 'web1'], {}, 78, /--url: "web1" is no address of a node/],
  ['no scheme', [], { STATECRON_URL: 'w:1' }, 78, /STATECRON_URL: "w:1" is no address of a node/],
  ['another protocol', ['--url', 'ftp://web1'], {}, 78, /no address of a node/],
  ['a password in it', ['--url', 'http://u:pa55@web1'], {}, 78, /takes a token/],
  [
    'a database as well',
    ['--url', 'http://web1', '--database-url', 'mysql://u:pa55@x/y'],
    {},
    2,
    /do not go together/,
  ],
  [
    'two tokens',
    ['--url', 'http://web1'],
    { STATECRON_TOKEN: 'pa55', STATECRON_TOKEN_FILE: '/x' },
    78,
    /twice/,
  ],
  [
    'a token with a blank',
    ['--url', 'http://web1'],
    { STATECRON_TOKEN: 'pa55 b' },
    78,
    /token has/,
  ],
  ['no file', ['--url', 'http://web1', '--token-file', '/no/such'], {}, 78, /the token cannot be/],
  ['no authority', ['--url', 'https://web1', '--tls-ca', '/no/such'], {}, 78, /certificate cannot/],
];

for (const [what, args, env, code, expected] of wrong) {
  test(`an address of a node with ${what} ends with ${code} and tells no secret`, async () => {
    const result = await askCli(['runs', ...args], { env });
    assert.equal(result.code, code, result.stderr);
    assert.match(result.stderr, expected);
    assert.doesNotMatch(result.stderr, /pa55/);
  });
}

test('what is done on the machine or the database says so when it is given a node', async () => {
  for (const command of ['node', 'up', 'migrate', 'doctor']) {
    const { code, stderr } = await askCli([command, '--url', 'http://127.0.0.1:1']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`^statecron: --url: ${command} cannot be sent to a node: `));
  }
});

test('a port that does not speak HTTP is told to be no API, at once', async (t) => {
  const server = createTcpServer((socket) => socket.end('J\0\0\0\n11.4.2-MariaDB\0'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stderr } = await askCli(['runs', '--url', url]);
  assert.equal(code, 78);
  assert.match(stderr, /is not the API of a node: it does not speak HTTP\.\nhint: .*_DATABASE_URL/);
});

test('a token that goes unencrypted to another machine is warned about', async () => {
  const env = { STATECRON_URL: 'http://statecron.invalid', STATECRON_TOKEN: 'secret' };
  const { code, stderr } = await askCli(['job', 'run', 'a'], { env });
  assert.equal(code, 69);
  assert.match(stderr, /^warning: the token goes to statecron\.invalid unencrypted/);
  assert.doesNotMatch(stderr, /secret/);
});
