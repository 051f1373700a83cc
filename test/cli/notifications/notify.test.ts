import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMailServer, readSending } from '../../../src/cli/options/sendingOptions.ts';
import { mailHint } from '../../../src/domain/notifications/mailHint.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { askCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

const job = ['job', 'add', 'backup', '--cron', '@manual', '--command', 'true'];

testBothWays('targets are added, named, shown, tested and removed', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const done = async (...args: string[]): Promise<string> => {
    const { code, stderr, stdout } = await askCli(args, cli);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const refused = async (expected: RegExp, ...args: string[]): Promise<void> => {
    const { code, stderr } = await askCli(args, cli);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, expected);
  };
  await refused(/no notification target "ops"/, ...job, '--notify-to', 'ops');
  await done('notify', 'add', 'ops', '--mail', 'ops@example.com', '--on', 'failure,node-lost');
  await refused(/already/, 'notify', 'add', 'ops', '--mail', 'ops@example.com');
  await refused(/One of --mail/, 'notify', 'add', 'none');
  const ftp = 'ftp://example.com/';
  await refused(/: --webhook: is neither https nor http\./, 'notify', 'add', 'x', '--webhook', ftp);
  await refused(
    /: --notify-to: is missing: notify-on needs it\.\n/,
    ...job,
    '--notify-on',
    'failure',
  );
  const all = ['--mail', 'a@b.c', '--on', 'all'];
  await refused(/failure, recovery, missed/, 'notify', 'add', 'x', ...all);
  const added = await done('notify', 'add', 'hook', '--webhook', 'https://hooks.example.com/in');
  const [secret] = /whsec_[A-Za-z0-9+/=]{44}/.exec(added) ?? [];
  assert.ok(secret, added);
  await done('notify', 'add', 'check', '--ping', 'https://hc.example.com/5e6f');
  await done(...job, '--notify-to', 'ops', '--long-running', '1h', '--ping', 'check');
  const shown = JSON.parse(await done('job', 'show', 'backup', '--json'));
  assert.deepEqual(shown.definition.notify, {
    on: ['failure', 'recovery', 'missed', 'long-running', 'node-lost'],
    to: ['ops'],
    longMs: 3_600_000,
    ping: ['check'],
  });
  await refused(/still named by "backup"/, 'notify', 'remove', 'ops');
  await done('notify', 'edit', 'ops', '--address', 'other@example.com', '--no-on');
  const { id } = JSON.parse(await done('notify', 'test', 'hook', '--json', '--wait-timeout', '0s'));
  const [notification] = JSON.parse(await done('notify', 'log', 'hook', '--json'));
  assert.deepEqual(
    [notification.id, notification.state, notification.event],
    [id, 'waiting', 'test'],
  );
  const list = JSON.parse(await done('notify', 'list', '--json'));
  assert.deepEqual(
    list.map(({ name, address, events }: Record<string, unknown>) => ({ name, address, events })),
    [
      { name: 'check', address: 'https://hc.example.com/5e6f', events: [] },
      { name: 'hook', address: 'https://hooks.example.com/in', events: [] },
      { name: 'ops', address: 'other@example.com', events: [] },
    ],
  );
  assert.doesNotMatch(await done('notify', 'list'), /whsec/);
  assert.match(await done('notify', 'retry', 'hook'), /Nothing was given up/);
  await done('job', 'edit', 'backup', '--no-notify-to', '--no-ping');
  for (const name of ['ops', 'check', 'hook']) await done('notify', 'remove', name);
  await refused(/no notification target/, 'notify', 'remove', 'ops');
  const audit = await world.rows('SELECT before_value, after_value FROM audit_log');
  assert.ok(!JSON.stringify(audit).includes(secret), 'the secret is in no audit row');
});

testBothWays('a mail target says what it needs until a mail was sent', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const add = (name: string, ...address: string[]) =>
    askCli(['notify', 'add', name, ...address], cli);
  const first = await add('first', '--mail', 'ops@example.com');
  assert.equal(first.code, 0);
  const said = first.stderr.replaceAll(/\s+/g, ' ');
  assert.ok(said.startsWith(`warning: no node has sent a mail yet. ${mailHint}. Try it: `), said);
  assert.match(first.stderr, /statecron notify test first$/m);
  await askCli(['notify', 'test', 'first'], cli);
  const mailOf = async () => {
    const { stdout } = await askCli(['doctor'], { url: world.url });
    return /^warn +mail +(.*)$/m.exec(stdout)?.[1];
  };
  assert.equal(await mailOf(), 'no node has sent a mail yet, and 1 notification waits');
  const doctor = await askCli(['doctor'], { url: world.url });
  assert.match(
    doctor.stdout,
    new RegExp(`→ ${mailHint}. Try it: statecron notify test first$`, 'm'),
  );
  const hook = await add('check', '--ping', 'https://hc.example.com/5e6f');
  assert.equal(hook.stderr, '');
  await world.rows("UPDATE notice_target SET last_sent_at = NOW(3) WHERE kind = 'mail'");
  assert.equal(await mailOf(), undefined);
  assert.equal((await add('second', '--mail', 'ops@example.com')).stderr, '');
});

testBothWays('an address inside is said to need --webhook-allow at once', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const add = (name: string, ...address: string[]) =>
    askCli(['notify', 'add', name, ...address], cli);
  for (const [index, host] of ['localhost', '127.0.0.1', '[::1]', '10.1.2.3'].entries()) {
    const { code, stderr } = await add(`hook-${index}`, '--webhook', `http://${host}:9/hook`);
    assert.equal(code, 0);
    const warning = /^warning: nodes send nothing to \S+ \(it is private, local or reserved\) but/;
    assert.match(stderr, warning, host);
    const own = host === '10.1.2.3' ? '' : ' To each node it is its own machine\\.';
    const allow = new RegExp(`started with --webhook-allow [\\d.:]+\\.${own} Try it: `);
    assert.match(stderr.replaceAll(/\s+/g, ' '), allow);
  }
  const moved = await askCli(['notify', 'edit', 'hook-0', '--address', 'http://10.9.9.9/x'], cli);
  assert.match(moved.stderr, /^warning: nodes send nothing to 10\.9\.9\.9 \(/);
  assert.equal((await add('out', '--ping', 'https://1.1.1.1/x')).stderr, '');
  const testing = askCli(['notify', 'test', 'hook-0'], cli);
  const lastError = 'localhost is not allowed: it is private, local or reserved (127.0.0.1)';
  await until('the node has tried it', async () => {
    const tests = await world.rows('SELECT 1 FROM notice');
    await world.rows('UPDATE notice SET last_error = ?', [lastError]);
    return tests.length > 0 || null;
  });
  const { code, stderr } = await testing;
  assert.equal(code, 1);
  assert.match(
    stderr.replaceAll(/\s+/g, ' '),
    /hint: Start the nodes with --webhook-allow 127\.0\.0\.1/,
  );
});

test('a node reads how it sends from flags, files and environment', () => {
  const from = 'statecron@example.com';
  assert.deepEqual(readSending({}, {}), { mailServer: null, webhookAllow: [] });
  const env = { STATECRON_SMTP_URL: 'smtp://mail.example.com', STATECRON_MAIL_FROM: from };
  const { mailServer } = readSending({ webhookAllow: ['10.0.0.0/8'] }, env);
  assert.deepEqual(mailServer, {
    ...{ host: 'mail.example.com', port: 25, user: null, password: null, from },
    ...{ isSecure: false, needsTls: false },
  });
  const secure = readMailServer('smtps://u%40x:p%3A@[2606:4700::1]', from);
  assert.deepEqual(secure, {
    ...{ host: '2606:4700::1', port: 465, user: 'u@x', password: 'p:', from },
    ...{ isSecure: true, needsTls: true },
  });
  assert.equal(readMailServer('smtp://u:p@mail.example.com', from).needsTls, true);
  for (const url of ['http://mail.example.com', 'smtp://', 'mail.example.com', 'smtp://u@x.test']) {
    assert.throws(() => readMailServer(url, from), { code: 'smtp_url' }, url);
  }
  assert.throws(() => readMailServer('smtp://x.test', 'a@b.c\r\nBcc: d@e.f'), /--mail-from/);
  assert.throws(() => readSending({ webhookAllow: ['everybody'] }, {}), /--webhook-allow/);
});
