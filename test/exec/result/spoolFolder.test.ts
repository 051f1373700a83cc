import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import type { LateResult } from '../../../src/domain/run/lateResult.ts';
import { encodeResult, fileNameOf } from '../../../src/exec/result/resultFile.ts';
import { openSpool } from '../../../src/exec/result/spoolFolder.ts';
import { asReason } from '../../support/asReason.ts';

const root = mkdtempSync(join(tmpdir(), 'statecron-test-'));
after(() => rmSync(root, { recursive: true }));
let folders = 0;
const newFolder = (): string => {
  folders += 1;
  return join(root, `${folders}`, 'deep');
};

function resultOf(number: number, outputBytes = 100): LateResult {
  const output = new Uint8Array(randomBytes(outputBytes));
  const fields = {
    result: 'failed',
    exitCode: 7,
    signal: null,
    reason: asReason('ü\n"'),
    outputBytes,
  } as const;
  return {
    launchId: `s0a1:${number}`,
    endedMs: 1_700_000_000_123,
    execution: { ...fields, output },
  };
}

test('a result is read as it was written, to the byte, by this user alone', async () => {
  const folder = newFolder();
  const spool = openSpool(folder);
  assert.deepEqual(await spool.list(), []);
  const [first, second] = [resultOf(1), resultOf(2, 0)];
  await spool.write(first);
  await spool.write(second);
  await spool.write(first);
  assert.deepEqual(await spool.list(), ['s0a1:1', 's0a1:2']);
  assert.deepEqual(await spool.read('s0a1:1'), first);
  assert.deepEqual(await spool.read('s0a1:2'), second);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, fileNameOf('s0a1:1'))).mode & 0o777, 0o600);
  assert.ok(((await spool.ageMs('s0a1:1')) ?? 60_000) < 60_000);
});

test('a folder that others may write to is neither written to nor believed', async () => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, fileNameOf('s0a1:1')), encodeResult(resultOf(1)));
  const spool = openSpool(folder);
  assert.deepEqual(await spool.list(), ['s0a1:1'], 'it is the own one');
  chmodSync(folder, 0o777);
  await assert.rejects(spool.list(), /cannot be trusted: others may write to it \(mode 0777\)/);
  await assert.rejects(spool.write(resultOf(2)), /cannot be trusted/);
  const link = newFolder();
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(folder, link);
  await assert.rejects(openSpool(link).write(resultOf(3)), /it is no folder/);
  assert.deepEqual(readdirSync(folder), [fileNameOf('s0a1:1')]);
});

test('what is removed is gone, and removing it again is no error', async () => {
  const spool = openSpool(newFolder());
  await spool.remove('s0a1:1');
  await spool.write(resultOf(1));
  await spool.remove('s0a1:1');
  await spool.remove('s0a1:1');
  assert.deepEqual(await spool.list(), []);
  assert.equal(await spool.read('s0a1:1'), null);
  assert.equal(await spool.ageMs('s0a1:1'), null);
});

test('a file that is torn or about another launch is damage, never a result', async () => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  const spool = openSpool(folder);
  const whole = encodeResult(resultOf(1));
  const damages: [Uint8Array, RegExp][] = [
    [whole.subarray(0, whole.length - 1), /99 of 100 bytes/],
    [whole.subarray(0, 20), /first line/],
    [Buffer.from('{"format":2}\n'), /format 2/],
    [Buffer.from('{"format":1,"keptBytes":0}\n'), /a field/],
    [encodeResult(resultOf(2)), /about s0a1:2/],
  ];
  for (const [bytes, expected] of damages) {
    writeFileSync(join(folder, fileNameOf('s0a1:1')), bytes);
    const read = await spool.read('s0a1:1');
    assert.ok(read !== null && 'damage' in read);
    assert.match(read.damage, expected);
  }
  writeFileSync(join(folder, `${fileNameOf('s0a1:9')}.1.tmp`), whole);
  assert.deepEqual(await spool.list(), ['s0a1:1'], 'what was not renamed is not there');
});

test('a spool takes no more files and bytes than it may, and has room again after', async () => {
  const spool = openSpool(newFolder(), { filesMax: 2, bytesMax: 10_000 });
  await spool.write(resultOf(1, 1_000));
  await assert.rejects(spool.write(resultOf(2, 10_000)), /is full/);
  await spool.write(resultOf(3, 1_000));
  await assert.rejects(spool.write(resultOf(4, 1_000)), /is full/);
  assert.deepEqual(await spool.list(), ['s0a1:1', 's0a1:3']);
  await spool.remove('s0a1:1');
  await spool.write(resultOf(4, 1_000));
});

test('a folder that cannot be made rejects the write', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  const spool = openSpool(join(file, 'spool'));
  await assert.rejects(spool.write(resultOf(1)), { code: 'ENOTDIR' });
});

test('a full disk rejects the write and leaves no half of a file behind', async (t) => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'statecron-test', folder]);
  } catch {
    t.skip('this user may not mount a small disk');
    return;
  }
  t.after(() => execFileSync('umount', [folder]));
  const spool = openSpool(folder);
  await spool.write(resultOf(1));
  await assert.rejects(spool.write(resultOf(2, 100_000)), { code: 'ENOSPC' });
  assert.deepEqual(readdirSync(folder), [fileNameOf('s0a1:1')]);
  await spool.write(resultOf(3));
});
