import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { DiskQueue } from '../../../src/exec/output/diskQueue.ts';
import { OutputFile } from '../../../src/exec/output/outputFile.ts';
import { makeGate } from '../../support/makeGate.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'statecron-outputs-'));
after(() => rmSync(folder, { recursive: true }));

let jobs = 0;
function placeOf(jobId = ++jobs): string {
  return path.join(folder, `${jobId}`, 's1-1.log');
}

interface Opened {
  readonly file: OutputFile;
  readonly path: string;
  /** Whether the output was to be left unread, each time that this changed. */
  readonly held: boolean[];
}

function openAt(place: string, disk = new DiskQueue(), bytesMax = 1e9): Opened {
  const held: boolean[] = [];
  const file = new OutputFile({ path: place, bytesMax }, disk, (isHeld) => held.push(isHeld));
  return { file, path: place, held };
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('all that was written is in a file that its user alone can read', async () => {
  const { file, path: place, held } = openAt(placeOf());
  const piece = bytes('a line\n');
  for (let lines = 0; lines < 1_000; lines += 1) file.write(piece);
  piece.fill(0);
  file.write(bytes('the end'));
  assert.equal(await file.end(), null);
  assert.equal(readFileSync(place, 'utf8'), `${'a line\n'.repeat(1_000)}the end`);
  assert.equal(statSync(place).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(place)).mode & 0o777, 0o700);
  assert.deepEqual(held, []);
});

test('of a run that writes nothing there is no file', async () => {
  const { file, path: place } = openAt(placeOf());
  file.write(new Uint8Array(0));
  assert.equal(await file.end(), null);
  assert.equal(existsSync(path.dirname(place)), false);
});

test('a file that is full says so, and one that is just full is whole', async () => {
  const full = openAt(placeOf(), new DiskQueue(), 10);
  full.file.write(bytes('0123456'));
  full.file.write(bytes('789ab'));
  full.file.write(bytes('cd'));
  assert.equal(await full.file.end(), null);
  const note = '\n[statecron: the file ends here, after 10 bytes]\n';
  assert.equal(readFileSync(full.path, 'utf8'), `0123456789${note}`);
  const just = openAt(placeOf(), new DiskQueue(), 10);
  just.file.write(bytes('0123456789'));
  just.file.write(bytes(''));
  assert.equal(await just.file.end(), null);
  assert.equal(readFileSync(just.path, 'utf8'), '0123456789');
});

test('nothing is written into what stands there already, nor through a link', async () => {
  const target = path.join(folder, 'target');
  await writeFile(target, 'before');
  const [linked, dangling, there] = [placeOf(), placeOf(), placeOf()];
  for (const place of [linked, dangling, there]) await mkdir(path.dirname(place), { mode: 0o700 });
  symlinkSync(target, linked);
  symlinkSync(path.join(folder, 'nowhere'), dangling);
  await writeFile(there, 'before');
  for (const place of [linked, dangling, there]) {
    const { file } = openAt(place);
    file.write(bytes('after'));
    assert.match((await file.end()) ?? '', /^Its output file is not complete \(EEXIST/);
  }
  assert.equal(readFileSync(target, 'utf8'), 'before');
  assert.equal(readFileSync(there, 'utf8'), 'before');
  assert.equal(existsSync(path.join(folder, 'nowhere')), false);
});

/** One whose next operation waits for the gate. */
class HeldDisk extends DiskQueue {
  readonly gate = makeGate();

  override run<T>(operation: () => Promise<T>): Promise<T> {
    return super.run(async () => {
      await this.gate.passed;
      return operation();
    });
  }
}

test('a job that writes faster than its disk has to wait, and no byte is lost', async () => {
  const disk = new HeldDisk();
  const { file, path: place, held } = openAt(placeOf(), disk);
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let pieces = 0; pieces < 17; pieces += 1) file.write(piece);
  assert.deepEqual(held, [true]);
  // What was read already is taken, however much it is.
  file.write(piece);
  disk.gate.open();
  await until('the job is let on', () => held.length === 2);
  assert.deepEqual(held, [true, false]);
  file.write(piece);
  assert.equal(await file.end(), null);
  assert.equal(statSync(place).size, 19 * piece.length);
});

test('a disk that does not answer is given up: the job goes on, and the run says so', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { file, held } = openAt(placeOf(), new HeldDisk());
  const piece = Buffer.alloc(1024 * 1024 + 1);
  file.write(piece);
  assert.deepEqual(held, [true]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(held, [true, false]);
  file.write(piece);
  const why = 'Its output file is not complete (the disk did not answer).';
  assert.equal(await file.end(), why);
  // The end of a run does not wait for ever either.
  const small = openAt(placeOf(), new HeldDisk());
  small.file.write(bytes('text'));
  const ended = small.file.end();
  t.mock.timers.tick(5_000);
  assert.equal(await ended, why);
});

test('on a disk that hangs for long the next run does not even begin a file', async () => {
  let nowMs = 0;
  const disk = new DiskQueue(() => nowMs);
  const never = disk.run(() => new Promise<void>(() => undefined));
  await until('it has begun', () => {
    nowMs += 6_000;
    return disk.isStuck;
  });
  void never;
  const { file } = openAt(placeOf(), disk);
  file.write(bytes('text'));
  assert.match((await file.end()) ?? '', /the disk did not answer/);
});

test('a disk that is full ends the file, not the run', async () => {
  class FullDisk extends DiskQueue {
    override run<T>(operation: () => Promise<T>): Promise<T> {
      return super.run(async () => {
        await operation();
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      });
    }
  }
  const { file, path: place } = openAt(placeOf(), new FullDisk());
  file.write(bytes('text'));
  assert.match((await file.end()) ?? '', /\(ENOSPC, no space left on device\)/);
  file.write(bytes('more'));
  assert.equal(readFileSync(place, 'utf8'), 'text');
});
