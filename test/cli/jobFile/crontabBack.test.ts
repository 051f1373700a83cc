import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';

const crontab = `# Edit this file to introduce tasks to be run by cron.
#
# m h  dom mon dow   command
SHELL=/bin/sh
PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin
MAILTO=ops@example.org

# Nightly backup
30 2 * * * /usr/local/bin/backup.sh --all >/dev/null 2>&1
@daily cd /srv/shop && php artisan schedule:run
*/5 9-17 * * MON-FRI /opt/poll "it's" >>/tmp/poll.$(date +\\%F)
0 9 * * 1 mail -s report ops%Dear all,%bye
@reboot /opt/daemon
MAILTO=""
0 4 * * * /opt/quiet
`;

const whose = ['--user', 'www-data', '--on-node', 'web1', '--timezone', 'Europe/Berlin'];
const importing = ['import', '-', '--group', 'web1', '--skip-faults', '--user-crontab', ...whose];
const exporting = ['export', '--format', 'crontab', '--group', 'web1'];

async function definitionsIn(url: string) {
  const jobs = await askJsonCli<{ definition: object }[]>(['job', 'list'], { url });
  return jobs.map(({ definition }) => ({ ...definition, origin: '' }));
}

test('a crontab that was imported is given back, and imports to the same jobs', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const imported = await askCli(importing, { url, input: crontab });
  assert.equal(imported.code, 0, imported.stderr);
  const back = await askCli([...exporting, ...whose], { url });
  assert.deepEqual([back.code, back.stderr], [0, ''], back.stdout);
  assert.doesNotMatch(back.stdout, /CRON_TZ|exec |--user|--on-node/);
  assert.equal(back.stdout.match(/^SHELL="\/bin\/sh"$/gm)?.length, 1);
  assert.match(
    back.stdout,
    /^# Nightly backup\n30 2 \* \* \* \/usr\/local\/bin\/backup\.sh --all/m,
  );
  assert.match(back.stdout, /^@daily cd \/srv\/shop && php artisan/m);
  assert.match(back.stdout, /^0 9 \* \* 1 mail -s report ops%Dear all,%bye$/m);

  const other = await makeStoreWorld(t, 'mariadb');
  const again = await askCli(importing, { url: other.url, input: back.stdout });
  assert.equal(again.code, 0, again.stderr);
  const jobs = await definitionsIn(url);
  assert.equal(jobs.length, 5);
  assert.deepEqual(await definitionsIn(other.url), jobs);
});

test('a line that would run elsewhere, or as another, is a comment with the reason', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  assert.equal((await askCli(importing, { url, input: crontab })).code, 0);
  const why = 'it has --user www-data, --on-node web1 (it is written by: ';
  const flags = 'statecron export --format crontab --group web1 --user www-data --on-node web1)';
  const bare = await askCli([...exporting, '--timezone', 'Europe/Berlin'], { url });
  assert.equal(bare.code, 1);
  assert.ok(bare.stderr.includes(`Nightly backup is left out: ${why}${flags}.\n`), bare.stderr);
  assert.ok(bare.stdout.includes(`#   "Nightly backup": ${why}${flags}\n#30 2 * * * /usr/`));
  assert.doesNotMatch(bare.stdout, /^[^#]/m, 'nothing is active');

  const any = ['job', 'edit', 'artisan', '--no-on-node'];
  assert.equal((await askCli(any, { url })).code, 0);
  const pinned = await askCli([...exporting, ...whose], { url });
  assert.equal(pinned.code, 1);
  assert.match(pinned.stderr, /^artisan is left out: it has no --on-node web1: it runs on any/m);

  const system = await askCli([...exporting, '--system', '--on-node', 'web1'], { url });
  assert.match(system.stdout, /^# m h dom mon dow user command$/m);
  assert.match(system.stdout, /^30 2 \* \* \* www-data \/usr\/local\/bin\/backup\.sh/m);
});

test('what is of another user or machine is counted, and the crontab is whole', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  assert.equal((await askCli(importing, { url, input: crontab })).code, 0);
  const add = ['job', 'add', 'of nobody', '--cron', '@hourly', '--command', 'true'];
  assert.equal((await askCli([...add, '--group', 'web1'], { url })).code, 0);
  const command = 'statecron export --format crontab --group web1';
  const other = await askCli([...exporting, '--user', 'deploy', '--on-node', 'web1'], { url });
  assert.deepEqual(
    [other.code, other.stdout, other.stderr],
    [
      0,
      '',
      'Not in it, being of other users or nodes: 6 jobs. They are written by:\n' +
        `  ${command} --user www-data --on-node web1\n  ${command}\n`,
    ],
  );
  const elsewhere = await askCli([...exporting, '--system', '--on-node', 'web2'], { url });
  assert.equal(elsewhere.code, 1, 'of nobody runs anywhere');
  assert.match(
    elsewhere.stderr,
    /: 5 jobs\. .*\n {2}.* --system --on-node web1\nof nobody is left/,
  );
});

test('the crontab of a user has nothing of others, whatever keeps them from it', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const add = ['job', 'add', '--cron', '@hourly', '--command', 'true'];
  for (const user of ['root', 'deploy']) {
    assert.equal((await askCli([...add, `of ${user}`, '--user', user], { url })).code, 0);
    assert.equal((await askCli(['job', 'pause', `of ${user}`], { url })).code, 0);
  }
  const root = await askCli(['export', '--format', 'crontab', '--user', 'root'], { url });
  assert.equal(root.stdout, '# Left out:\n#   "of root": it is paused\n#@hourly true\n');
  assert.match(root.stderr, /^Not in it.*: 1 job\. .*\n {2}statecron .* --user deploy\nof root is/);
});

test('observed jobs are in a crontab without a word, since cron is what runs them', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  const observing = await askCli([...importing, '--observe'], { url, input: crontab });
  assert.equal(observing.code, 0, observing.stderr);
  const back = await askCli([...exporting, ...whose], { url });
  assert.deepEqual([back.code, back.stderr], [0, '']);
  assert.doesNotMatch(back.stdout, /observed/);
});

/** Each with the field that does not fit. */
const noLines: [string, string[], RegExp][] = [
  ['lines', ['--command', 'true\ntrue'], /its --command does not fit into a line/],
  ['variable', ['--env', 'A="it\'s"'], /its --env A does not fit into a line/],
  ['folder', ['--cwd', '/srv'], /a crontab has no --cwd \/srv/],
  ['17', [], /its name does not fit into a comment/],
  ['by bash', ['--env', 'SHELL=/bin/dash'], /bash runs it, and its variable SHELL is \/bin\/dash/],
];

test('of a job that is left out the field is said that no crontab has', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  for (const [name, flags] of noLines) {
    const command = flags.includes('--command') ? [] : ['--command', 'true'];
    const added = await askCli(['job', 'add', name, '--cron', '@daily', ...command, ...flags], {
      url,
    });
    assert.equal(added.code, 0, added.stderr);
  }
  await askCli(['job', 'add', 'x', '--cron', '@daily', '--command', 'x', '--env', 'B=1'], { url });
  await askCli(
    ['job', 'add', 'y', '--cron', '@daily', '--command', 'y', '--env', 'C=1', '--env', 'D=1'],
    { url },
  );
  const { stderr, stdout } = await askCli(['export', '--format', 'crontab'], { url });
  for (const [name, , why] of noLines) {
    const line = stderr.split('\n').find((each) => each.startsWith(`${name} is left out: `));
    assert.match(line ?? '', why, name);
  }
  assert.match(stderr, /^y is left out: the variables B of other jobs would be its own, too\.$/m);
  assert.match(stdout, /^# With no SHELL line above/m);
});

test('only a zone that is not the one of the crontab has a line', async (t) => {
  const { url } = await makeStoreWorld(t, 'mariadb');
  for (const [name, zone] of [
    ['a', 'Europe/Berlin'],
    ['b', 'UTC'],
    ['c', 'Europe/Berlin'],
  ] as const) {
    const add = ['job', 'add', name, '--cron', '@daily', '--command', name, '--timezone', zone];
    assert.equal((await askCli(add, { url })).code, 0);
  }
  const { stdout } = await askCli(['export', '--format', 'crontab', '--timezone', 'UTC'], { url });
  assert.match(
    stdout,
    /^# Time zone: UTC, or that of a CRON_TZ line above, which Debian's cron ig/,
  );
  assert.deepEqual(stdout.match(/^CRON_TZ=.*$/gm), ['CRON_TZ=Europe/Berlin']);
  const other = await makeStoreWorld(t, 'mariadb');
  const again = ['import', '-', '--timezone', 'UTC'];
  assert.equal((await askCli(again, { url: other.url, input: stdout })).code, 0);
  assert.deepEqual(await definitionsIn(other.url), await definitionsIn(url));
});
