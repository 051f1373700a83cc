import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import {
  makeHandOver,
  readGiven,
  readHandOver,
  secretsOf,
  withoutPassword,
  withoutSecretFlags,
  withoutSecrets,
} from '../../../src/cli/options/givenDatabase.ts';

const url = 'mysql://user:password@host/statecron';
const smtp = 'smtps://user:mailword@mail.example.com';

test('a URL that is printed has no password, whatever letters that has', () => {
  const printed = 'mysql://user:PASSWORD@host/statecron';
  for (const password of ['password', 'a:b', 'a/b', 'a?b#c', 'a@b']) {
    assert.equal(withoutPassword(`mysql://user:${password}@host/statecron`), printed);
  }
  for (const bare of ['mysql://user@host:3306/statecron', 'mysql://host:3306/statecron']) {
    assert.equal(withoutPassword(bare), bare);
  }
});

test('a password of a flag wins over the file of a variable, as does a file', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-given-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const fileOf = async (text: string): Promise<string> => {
    const file = path.join(folder, text.slice(-4));
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const variable = 'STATECRON_DATABASE_PASSWORD_FILE';
  process.env[variable] = await fileOf('of-variable');
  t.after(() => delete process.env[variable]);
  const bare = 'mysql://user@host/statecron';
  const passwordOf = (options: Parameters<typeof readGiven>[0]) => readGiven(options)?.password;
  assert.equal(passwordOf({ databaseUrl: url }), null);
  assert.equal(passwordOf({ databaseUrlFile: await fileOf(url) }), null);
  assert.equal(passwordOf({ databaseUrl: bare }), 'of-variable');
  const databasePasswordFile = await fileOf('of-flag');
  assert.equal(passwordOf({ databaseUrl: url, databasePasswordFile }), 'of-flag');
  process.env.STATECRON_DATABASE_URL = url;
  t.after(() => delete process.env.STATECRON_DATABASE_URL);
  assert.equal(passwordOf({}), 'of-variable', 'both are variables');
});

test('what a node is started with has no password, however it was given', () => {
  const args = [
    ...['node', '--name', 'web1', '--database-url', url, `--database-url=${url}`],
    ...['--database-password-file', '/run/password', '--smtp-url', smtp, `--smtp-url=${smtp}`],
    ...['--database-url-file=/run/url', '--show-runs'],
  ];
  assert.deepEqual(withoutSecretFlags(args), ['node', '--name', 'web1', '--show-runs']);
  const env = {
    ...{ PATH: '/bin', STATECRON_SPOOL: '/spool', STATECRON_SMTP_URL: smtp, DATABASE_URL: url },
    ...{ STATECRON_DATABASE_URL: url, STATECRON_DATABASE_PASSWORD_FILE: '/run/password' },
  };
  assert.deepEqual(withoutSecrets(env), { PATH: '/bin', STATECRON_SPOOL: '/spool' });
});

test('the mail server is handed over as the flag has it, else the variable', () => {
  const wanted = { STATECRON_SMTP_URL: smtp, STATECRON_SMTP_URL_FILE: '' };
  assert.deepEqual(secretsOf(['--smtp-url', smtp], { STATECRON_SMTP_URL: 'other' }), wanted);
  assert.deepEqual(secretsOf([`--smtp-url=${smtp}`], {}), wanted);
  assert.deepEqual(secretsOf(['--smtp-url-file', 'x'], { STATECRON_SMTP_URL: smtp }), wanted);
  assert.deepEqual(secretsOf([], {}), {});
});

test('a password is read anew for each process, and is the earlier when it cannot be', async () => {
  const answers = [
    async () => ({ url, password: 'second' }),
    () => Promise.reject(new Error('a pipe is empty the second time')),
    async () => null,
  ];
  const readAgain = async () => (await answers.shift()?.()) ?? null;
  const troubles: unknown[] = [];
  const handOver = makeHandOver({ url, password: 'first' }, readAgain, { A: 'b' }, (error) => {
    troubles.push((error as Error).message);
    return null;
  });
  const handed: unknown[] = [];
  for (let times = 0; times < 4; times += 1) handed.push(readHandOver(await handOver()).password);
  assert.deepEqual(handed, ['first', 'second', 'second', 'second']);
  assert.deepEqual(troubles, ['a pipe is empty the second time']);
  assert.ok(!(await handOver()).includes('\n'), 'it is one line');
});
