import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { createConnection } from 'mysql2/promise';
import { printTemplate } from '../../../src/cli/print/printCommand.ts';
import { startNodeProcess } from '../../node/nodeProcess.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { docPage } from '../../support/docPages.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { testEngine } from '../../support/testEngine.ts';
import { askCli } from '../askCli.ts';

const page = docPage('production');

/** The statements of the page, of a database and users that no other test has. */
async function runPrintedStatements(scope: Scope, engine: Engine) {
  const server = await testEngine(engine);
  const connection = await createConnection({ uri: server, multipleStatements: true });
  scope.after(() => connection.end());
  const name = `sp${randomBytes(6).toString('hex')}`;
  const [, drops = ''] = /^```sql\n(DROP DATABASE .*?)^```$/ms.exec(page) ?? [];
  scope.after(async () => {
    await connection.query(drops.replaceAll('statecron', name));
    const [left] = await connection.query('SELECT User FROM mysql.user WHERE User LIKE ?', [
      `${name}%`,
    ]);
    assert.deepEqual(left, [], 'the page removes what it creates');
  });
  const [, statements = ''] = /^```sql\n(CREATE DATABASE .*?)^```$/ms.exec(page) ?? [];
  assert.ok(statements.includes('CREATE USER'), 'the page creates the users');
  await connection.query(statements.replaceAll('statecron', name));
  const urlOf = (user: string): string => {
    const url = new URL(server);
    url.pathname = `/${name}`;
    if (user !== '') [url.username, url.password] = [user, ''];
    return url.href;
  };
  return { admin: urlOf(''), node: urlOf(name), migrate: urlOf(`${name}_migrate`) };
}

async function makePasswords(scope: Scope): Promise<{ node: string; migrate: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-page-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const write = async (file: string, text: string) => {
    await writeFile(path.join(folder, file), `${text}\n`, { mode: 0o600 });
    return path.join(folder, file);
  };
  const passwords = [...page.matchAll(/^CREATE USER .* IDENTIFIED BY '(.*)';$/gm)];
  const [node = '', migrate = ''] = passwords.map(([, password = '']) => password);
  return { node: await write('node', node), migrate: await write('migrate', migrate) };
}

await forEachEngine((engine) => {
  test('the printed users and grants are enough to migrate, to check and to run', async (t) => {
    const scope = lastFirst(t);
    const urls = await runPrintedStatements(scope, engine);
    const passwords = await makePasswords(scope);
    const asMigrate = ['--database-password-file', passwords.migrate];
    const asNode = { STATECRON_DATABASE_PASSWORD_FILE: passwords.node };
    const refused = await askCli(['migrate'], { url: urls.node, env: asNode });
    assert.equal(refused.code, 78);
    const [, grant = ''] = /^(GRANT .*) ON .* TO 'statecron_migrate'/m.exec(page) ?? [];
    assert.match(refused.stderr, /hint: Use the account of the migrations: --database-url/);
    assert.ok(grant !== '' && refused.stderr.includes(`run: ${grant} ON `), refused.stderr);

    const early = await askCli(['doctor'], { url: urls.node, env: asNode });
    assert.match(early.stdout, /Run statecron migrate, as an account that may create tables/);
    const migrated = await askCli(['migrate', ...asMigrate], { url: urls.migrate });
    assert.equal(migrated.code, 0, migrated.stderr);
    const doctor = await askCli(['doctor'], { url: urls.node, env: asNode });
    assert.equal(doctor.code, 0, doctor.stdout);
    assert.match(doctor.stdout, /^ok +grants /m);

    const world = await makeStoreWorldAt(scope, urls.admin);
    const node = startNodeProcess(scope, world, 'web1', [], urls.node, asNode);
    await node.session();
    node.guardian.kill('SIGTERM');
    assert.deepEqual(await node.exited(), [0, null], node.log());
  });
});

test('the page and the printed unit name the same files', () => {
  const unit = printTemplate('unit');
  const files = page.match(/\/etc\/statecron\/[\w-]+(?=` \|)/g) ?? [];
  assert.deepEqual([...files].sort(), ['database-password', 'environment'].map(inEtc));
  for (const file of files) {
    assert.ok(unit.includes(file), file);
    assert.match(page, new RegExp(`^install -D -m \\d+ /dev/null ${file}$`, 'm'));
  }
});

test('the head of the printed unit says what the page says', () => {
  const [head = ''] = printTemplate('unit').split('[Unit]');
  const commands = [...head.matchAll(/^# {3}((?:useradd|install|echo|cat) .*?)(?: {2,}.*)?$/gm)];
  assert.ok(commands.length >= 5, head);
  const lines = page.split('\n').map((line) => line.replace(/ +# .*$/, ''));
  for (const [, command = ''] of commands) assert.ok(lines.includes(command), command);
});

test('no command of the page has a password in it, which a shell would keep', () => {
  assert.doesNotMatch(docPage('notifications'), /^(?!.* # ).*:PASSWORD@.*>/m);
  const passwords = [...page.matchAll(/IDENTIFIED BY '(.*)';$/gm)].map(([, word = '']) => word);
  const blocks = [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];
  const shell = blocks.flatMap(([, info, text = '']) => (info === 'sql' ? [] : [text]));
  const commands = shell.join('').replace(/ +# .*$/gm, '');
  for (const password of passwords) assert.ok(!commands.includes(password), password);
});

const inEtc = (name: string): string => `/etc/statecron/${name}`;

test('the printed sed gives the second unit a name and a port, whatever the first one has', () => {
  const [, script = ''] = /^sed '(.*)' statecron\.service/m.exec(page) ?? [];
  for (const http of ['7700', '8800', 'off']) {
    const input = printTemplate('unit').replace('--http 7700', `--http ${http}`);
    const second = execFileSync('sed', [script], { input, encoding: 'utf8' });
    assert.match(second, /^ExecStart=.* node --name second --http 7701$/m, http);
  }
});
