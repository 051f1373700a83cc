import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RunRequest } from '../../../src/exec/request/runRequest.ts';
import { createTestPool, spawnWays, textOf } from '../../exec/pool/testPool.ts';
import { fileScope } from '../../support/testEngine.ts';
import { askRaw } from '../world/askRaw.ts';
import { makeWholeApi } from '../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const token = (await world.token('operator')).secret;

function ask(method: string, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json', 'if-match': '*' };
  return askRaw(origin, { method, path, token, headers, body: JSON.stringify(body) });
}

const words = { cron: '0 0 1 1 *', command: 'true' };
assert.equal((await ask('POST', '/api/v1/jobs', { name: 'job', ...words })).status, 201);

/** What makes a shell, a loader or an interpreter do something else than the command says. */
const loaders = [
  ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS'],
  ...['PS4', 'PROMPT_COMMAND', 'IFS', 'PATH', 'NODE_OPTIONS', 'PERL5OPT', 'PERL5LIB'],
  ...['PYTHONPATH', 'PYTHONSTARTUP', 'RUBYOPT', 'GCONV_PATH'],
  ...['PERLLIB', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS', 'GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT'],
  ...['LUA_INIT', 'LUA_INIT_5_4', 'OPENSSL_CONF', 'OPENSSL_MODULES'],
];
const unnamed = ['BASH_FUNC_ls%%', 'A=B', '', 'A B', '1A', 'a-b', 'x\0', 'é', 'STATECRON_NODE'];

describe('Cronicle CVE-2026-85076: variables that come with one run', () => {
  test('change no program that the command starts', async () => {
    for (const name of [...loaders, ...unnamed]) {
      const env = { [name]: '/tmp/evil' };
      const { status, json } = await ask('POST', '/api/v1/jobs/job/run', { env });
      assert.equal(status, 422, `${name}: ${JSON.stringify(json)}`);
    }
    const named = await ask('POST', '/api/v1/jobs', { name: 'b', ...words, env: { 'A=B': 'x' } });
    assert.equal(named.status, 422, named.text);
    const [row] = await world.rows('SELECT COUNT(*) AS asked FROM pending');
    assert.equal(Number(row?.asked), 0);
  });

  test('that are only values are taken', async () => {
    const env = {
      DATE: '2030-01-01',
      LDAP_URL: 'x',
      ENVIRONMENT: 'y',
      MY_PATH: 'z',
      lower: '$(id)',
    };
    const { status, text } = await ask('POST', '/api/v1/jobs/job/run', { env });
    assert.equal(status, 202, text);
  });
});

describe('Cronicle CVE-2026-39401: what a job writes', () => {
  for (const spawnWay of spawnWays) {
    const pool = createTestPool({ spawnWay });
    after(() => pool.close());

    test(`is data and changes nothing of the next run, by the ${spawnWay} way`, async () => {
      const said = [
        ...['{"uid":0,"gid":0,"complete":1}', '{"env":{"A":"b"}}', '{"chain":"x"}', '{"code":0}'],
        ...['Content-Type: text/html', '\u0001{"uid":0}\u0001', 'exit 0'],
      ];
      const command = `cat; exit 7`;
      const first = await pool.runCommand(command, { stdin: said.join('\n') });
      assert.deepEqual([first.result, first.exitCode], ['failed', 7]);
      assert.equal(textOf(first), said.join('\n'));
      const second = await pool.runCommand('id -u; echo "[$A]"');
      assert.equal(textOf(second), `${process.getuid?.()}\n[]\n`);
    });
  }
});

test('vixie-cron CVE-2006-2607: what gets no such user never runs as the node', async () => {
  const user = 'nobody';
  const nothing = { umask: null, nice: null, memoryBytesMax: null, cpuSecondsMax: null };
  const as: Partial<RunRequest> = { ownership: { ...nothing, user } };
  // Not allowed; without the launcher that could; a user that there is not.
  const unknown: Partial<RunRequest> = { ownership: { ...nothing, user: 'no-such-user' } };
  const tries = [
    { pool: createTestPool({ allowedUsers: [] }), request: as },
    { pool: createTestPool({ allowedUsers: [user], spawnWay: 'direct' }), request: as },
    { pool: createTestPool({ allowedUsers: ['no-such-user'] }), request: unknown },
  ];
  for (const { pool, request } of tries) {
    const execution = await pool.runCommand('echo ran as $(id -u)', request);
    await pool.close();
    assert.equal(execution.result, 'spawn_failed');
    assert.equal(textOf(execution), '');
    assert.notEqual(execution.reason, null);
  }
});

test('dkron #319: a command is bash’s: no list of programs is said to protect it', async () => {
  const command = 'true; /bin/sh -c "echo $0"; `true` $(true) | true && true > /dev/null';
  const answer = await ask('POST', '/api/v1/jobs', { name: 'free', ...words, command });
  assert.equal(answer.status, 201, answer.text);
  const shown = await askRaw(origin, { method: 'GET', path: '/api/v1/jobs/free', token });
  assert.equal(shown.json.fields.command, command);
});
