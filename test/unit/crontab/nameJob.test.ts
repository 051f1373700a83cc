import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCrontab } from '../../../src/domain/crontab/readCrontab.ts';

const namesOf = (...lines: string[]): string[] =>
  readCrontab(lines.join('\n'), 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [reading.job.name] : [],
  );

test('the comment right above a job is its name', () => {
  assert.deepEqual(namesOf('### Nightly backup. ###', '0 3 * * * backup'), ['Nightly backup']);
});

test('of several lines of comment the first counts', () => {
  assert.deepEqual(namesOf('# Backup', '# keeps seven days', '0 3 * * * x'), ['Backup']);
});

test('a comment is of the job below it, not of the next one, nor across a blank line', () => {
  assert.deepEqual(namesOf('# One', '0 3 * * * a', '0 4 * * * b'), ['One', 'b']);
  assert.deepEqual(namesOf('# Section', '', '0 3 * * * a'), ['a']);
});

test('a variable between a comment and its job does not part them', () => {
  assert.deepEqual(namesOf('# One', 'A=b', '0 3 * * * a'), ['One']);
});

test('the path of the file at its head names nobody', () => {
  assert.deepEqual(namesOf('# /etc/cron.d/app', 'SHELL=/bin/sh', '17 * * * * /opt/app/sync'), [
    'sync',
  ]);
});

test("the header that crontab -e writes names nobody's job", () => {
  const header = [
    '# Edit this file to introduce tasks to be run by cron.',
    '# ',
    '# For example, you can run a backup of all your user accounts',
    '# 0 5 * * 1 tar -zcf /var/backups/home.tgz /home/',
    '# ',
    '# m h  dom mon dow   command',
  ];
  assert.deepEqual(namesOf(...header, '0 3 * * * /usr/bin/backup'), ['backup']);
});

test("the drawing of /etc/crontab names nobody's job", () => {
  const drawing = [
    '# Example of job definition:',
    '# .---------------- minute (0 - 59)',
    '# |  .------------- hour (0 - 23)',
    '# |  |  .---------- day of month (1 - 31)',
    '# *  *  *  *  * user-name command to be executed',
  ];
  assert.deepEqual(namesOf(...drawing, '17 * * * * true'), ['true']);
});

test('a job or a variable that is commented out is no name', () => {
  assert.deepEqual(namesOf('#0 3 * * * old', '0 4 * * * new'), ['new']);
  assert.deepEqual(namesOf('#@daily old', '0 4 * * * new'), ['new']);
  assert.deepEqual(namesOf('#MAILTO=x', '0 4 * * * new'), ['new']);
  assert.deepEqual(namesOf('# disabled: 0 5 * * * /bin/false', '0 4 * * * new'), ['new']);
  assert.deepEqual(namesOf('# Off since May: @daily old', '0 4 * * * new'), ['new']);
  assert.deepEqual(namesOf('# Backup: 2 copies, 3 days', '0 4 * * * x'), [
    'Backup: 2 copies, 3 days',
  ]);
});

test('a comment that begins with a number is a name all the same', () => {
  assert.deepEqual(namesOf('# 2 copies of the logs', '0 4 * * * x'), ['2 copies of the logs']);
});

test('equal names are made unique', () => {
  const names = namesOf('0 3 * * * x', '0 4 * * * x', '# x 2', '0 5 * * * y');
  assert.deepEqual(names, ['x', 'x 2', 'x 2 2']);
});

test('control characters and length are taken care of', () => {
  const [name = ''] = namesOf(`# \u001b]52;c;evil\u0007 ${'long '.repeat(60)}`, '* * * * * x');
  assert.equal([...name].length, 80);
  assert.doesNotMatch(name, /\p{Cc}/u);
});

test('without a comment the program or script names a job, behind what only prepares it', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['/usr/local/bin/backup.sh --full >/dev/null 2>&1', 'backup.sh'],
    ['cd /srv/app && php -d memory_limit=1G artisan run >> /dev/null 2>&1', 'artisan'],
    ['test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }', 'run-parts'],
    ['flock -n /run/x.lock nice -n 19 timeout 5m /opt/a/sync-files', 'sync-files'],
    ['flock -w 10 /run/x.lock -c "/opt/y/z.sh now"', 'z.sh'],
    ["bash -c 'cd /x && ./run.sh'", 'run.sh'],
    ['python3 -m mypkg.run --x', 'mypkg.run'],
    ['perl -e "print 1"', 'perl'],
    ['PATH=/x:/y FOO="a b" sudo -u bob $HOME/bin/report &', 'report'],
    ['if [ -f /x ]; then /opt/q; fi', 'q'],
    ['日本語.sh', '日本語.sh'],
    ['nohup sleep 30', 'sleep'],
    ['cd / && true', 'true'],
    ['cd /tmp', 'cd'],
    ['cd /srv; nice -n 5 timeout 9 sleep 3', 'sleep'],
    ['cat /srv/report.txt | mail -s report ops', 'mail'],
    ['echo begins >>/tmp/log; date >>/tmp/log; /opt/run.sh', 'run.sh'],
    ['SHELL=/bin/sh bash -c "printf x | tee /tmp/x"', 'tee'],
    ['date >>/tmp/log && cat /tmp/log', 'date'],
    ['"/opt/with space/run it" x', 'run it'],
    ['*', 'job'],
    [`/opt/${'a'.repeat(90)}`, `${'a'.repeat(39)}…`],
  ];
  for (const [command, name] of cases) {
    assert.deepEqual(namesOf(`0 3 * * * ${command}`), [name], command);
  }
});

test('lines of one program are told apart by the first argument in which they differ', () => {
  const lines = ['/a/x --mail a', '/b/x --mail b', 'y --daily', 'y --weekly', 'z', 'z'];
  const names = namesOf(...lines.map((line) => `0 3 * * * ${line}`));
  assert.deepEqual(names, ['x a', 'x b', 'y daily', 'y weekly', 'z', 'z 2']);
});

test('any command has a name, soon', () => {
  const word = fc.constantFrom(
    'sh',
    '-c',
    '"',
    "'",
    'nice',
    '&&',
    '|',
    '>',
    '2>&1',
    'a/b',
    '(',
    '$',
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 200 }), (words) => {
      const [name = ''] = namesOf(`0 3 * * * ${words.join(' ')}`);
      assert.match(name, /\S/);
    }),
  );
});

test('so many lines as one likes have the next free number each', () => {
  const lines = Array.from({ length: 30_000 }, () => '@daily /opt/same');
  const found = namesOf(...lines);
  assert.deepEqual([found[0], found[1], found.at(-1)], ['same', 'same 2', 'same 30000']);
});
