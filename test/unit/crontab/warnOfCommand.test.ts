import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warnOfCommand } from '../../../src/domain/crontab/warnOfCommand.ts';

const left = [
  '/opt/daemon --start &',
  'sleep 100 & echo started',
  '/bin/a & /bin/b',
  '(sleep 5 &)',
  '((sleep 5 &); true)',
  'a 2>&1 & b',
  'a && b &',
  'a&',
  'echo "$(date)" & b',
  `echo 'it'\\''s' & b`,
  'nohup /bin/d >/dev/null 2>&1 & disown',
];
const apart = ['setsid /bin/d', 'cd /srv && nohup ./d', '/usr/bin/setsid -f d', 'a; disown'];
const neither = [
  'a && b',
  'a >/dev/null 2>&1',
  'a >& file',
  'a &> file',
  'a &>> file',
  'a 0<&3',
  'a |& b',
  `curl 'http://x/?a=1&b=2'`,
  'curl "http://x/?a=1&b=\\"2&"',
  'curl http://x/?a=1\\&b',
  `printf $'it\\'s & more'`,
  'a # this & that',
  'echo $((6 & 3))',
  'echo nohup.out setsid-like',
  'grep -c "nohup" file',
];

test('a command that leaves something running is told apart from one that does not', () => {
  const notesOf = (command: string) => warnOfCommand({ command, stdin: null }, true).join('\n');
  for (const command of left) {
    assert.match(notesOf(command), /in the background \(&\).* when the shell ends is/, command);
  }
  for (const command of apart) {
    assert.match(
      notesOf(command),
      /^(nohup|setsid|disown): what it leaves .* when the shell ends/,
      command,
    );
  }
  for (const command of neither) assert.equal(notesOf(command), '', command);
});
