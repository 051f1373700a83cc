import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestPool } from '../pool/testPool.ts';

/** Writes one kind of message into every descriptor of the launcher that it can open. */
const forge = `
  my ($kind, $file) = @ARGV;
  open my $stat, '<', '/proc/' . getppid . '/stat';
  my $launcher = (split ' ', <$stat>)[3];
  my $request = join "\\0", 1, '/', '', 0, 2, '-c', "echo > $file";
  my %bytes = (
    end => join('', map { pack 'Na1Na*', 9, 'X', $_, '0 1 ' } 1 .. 9),
    failure => join('', map { "$_\\0cwd\\0002\\0forged\\n" } 1 .. 9),
    request => pack('N', length $request) . $request);
  for my $fd (grep { $_ != 2 } map { m{(\\d+)$} } glob "/proc/$launcher/fd/*") {
    open my $file, '>>', "/proc/$launcher/fd/$fd" or next;
    syswrite $file, $bytes{$kind};
  }`;

for (const kind of ['end', 'failure', 'request']) {
  test(`a job that forges a message of its launcher (${kind}) changes nothing`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'statecron-test-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [program, forged] = [join(folder, 'forge.pl'), join(folder, 'forged')];
    writeFileSync(program, forge);
    const pool = createTestPool({ spawnWay: 'launcher' });
    const run = await pool.runCommand(`perl ${program} ${kind} ${forged}; exit 7`);
    const next = await pool.runCommand('exit 8');
    await pool.close();
    assert.deepEqual([run.result, run.exitCode, run.reason], ['failed', 7, null]);
    assert.deepEqual([next.result, next.exitCode, next.reason], ['failed', 8, null]);
    assert.equal(existsSync(forged), false, 'nothing was run that nobody asked for');
  });
}
