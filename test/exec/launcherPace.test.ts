import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const pace = fileURLToPath(new URL('../../src/exec/launcherPace.pl', import.meta.url));

/** The launcher's loop on a clock of its own: a start takes a millisecond, all wait from zero. */
const drive = `
require $ARGV[0];
our $processors = $ARGV[1];
my ($launches, $nowMs) = ($ARGV[2], 0);
while ($launches > 0) {
  my $seconds = pauseSeconds();
  passTime($seconds, 1);
  $nowMs += $seconds * 1000;
  next if pauseSeconds() > 0;
  print $nowMs, "\\n";
  noteStart();
  $nowMs += 1;
  $launches -= 1;
}
`;

function startsOf(processors: number, launches: number): number[] {
  const args = ['-e', drive, pace, `${processors}`, `${launches}`];
  const lines = execFileSync('perl', args, { encoding: 'utf8' }).trim().split('\n');
  return lines.map(Number);
}

const gapsOf = (starts: number[]) => starts.slice(1).map((at, i) => at - (starts[i] ?? 0));

describe('launches that come together', () => {
  test('begin one after the other on two processors, with a moment in between', () => {
    const gaps = gapsOf(startsOf(2, 15));
    assert.ok(Math.min(...gaps) >= 3.9 && Math.max(...gaps) <= 4.1, gaps.join());
  });

  test('begin one for each two processors where there are more', () => {
    const gaps = gapsOf(startsOf(8, 16));
    const moments = gaps.flatMap((gap, i) => (gap > 1 ? [i + 1] : []));
    assert.deepEqual(moments, [4, 8, 12]);
  });

  test('are held up by a sixteenth of the time at most, however many they are', () => {
    const starts = startsOf(2, 4_000);
    const heldUpMs = (starts.at(-1) ?? 0) - (starts.length - 1);
    assert.ok(heldUpMs >= 60 && heldUpMs <= 60 + 4_000 / 16, `${heldUpMs} ms`);
  });
});

test('a launch that comes alone waits for nothing', () => {
  const alone = `require $ARGV[0]; our $processors = 2;
    for (1 .. 3) { print pauseSeconds(), "\\n"; noteStart(); passTime(undef, 0) }`;
  assert.equal(execFileSync('perl', ['-e', alone, pace], { encoding: 'utf8' }), '0\n0\n0\n');
});
