import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test("the header that crontab -e writes names nobody's job", () => {
  const header = [
    '# Edit this file to introduce tasks to be run by cron.',
    '# ',
    '# For example, you can run a backup of all your user accounts',
    '# 0 5 * * 1 tar -zcf /var/backups/home.tgz /home/',
    '# ',
    '# m h  dom mon dow   command',
  ];
  assert.deepEqual(namesOf(...header, '0 3 * * * /usr/bin/backup'), ['/usr/bin/backup']);
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
