import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeOutputFolder, OutputFolder } from '../../../src/exec/output/outputFolder.ts';

const root = mkdtempSync(path.join(tmpdir(), 'statecron-folder-'));
after(() => rmSync(root, { recursive: true }));

let folders = 0;
/** Files of so many bytes, the oldest first. */
async function folderWith(files: readonly (readonly [place: string, bytes: number])[]) {
  folders += 1;
  const folder = path.join(root, `${folders}`);
  await mkdir(folder);
  for (const [age, [place, bytes]] of files.entries()) {
    const file = path.join(folder, place);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, Buffer.alloc(bytes));
    utimesSync(file, 1_000_000 + age, 1_000_000 + age);
  }
  return folder;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map((file) => path.relative(folder, path.join(file.parentPath, file.name))).sort();
}

test('when all files are too large the oldest go, and folders that have none left', async () => {
  const folder = await folderWith([
    ['7/s1-1.log', 400],
    ['8/s1-2.log', 300],
    ['8/s2-1.log', 300],
    ['9/s2-2.log', 100],
  ]);
  await new OutputFolder({ folder, fileBytesMax: 1e6, totalBytesMax: 1_000 }).clean();
  assert.deepEqual(filesIn(folder), ['8/s1-2.log', '8/s2-1.log', '9/s2-2.log']);
  assert.deepEqual(readdirSync(folder).sort(), ['8', '9']);
});

test('nothing goes while there is room, and never what is no file of a run', async () => {
  const files = ['1/s1-1.log', '1/notes.txt', '1/../2x/s1-1.log', 's1-1.log', '1/s1-x.log'];
  const folder = await folderWith(files.map((place) => [place, 600] as const));
  const outputs = new OutputFolder({ folder, fileBytesMax: 1e6, totalBytesMax: 600 });
  await outputs.clean();
  const all = filesIn(folder);
  assert.ok(all.includes('1/s1-1.log'));
  await writeFile(path.join(folder, '1/s2-1.log'), Buffer.alloc(1));
  await outputs.clean();
  const others = ['1/notes.txt', '1/s1-x.log', '2x/s1-1.log', 's1-1.log'];
  assert.deepEqual(filesIn(folder), [...others, '1/s2-1.log'].sort());
});

test('a file of a run that goes on stays, and too many files go as too large ones do', async () => {
  const files = Array.from({ length: 20 }, (_, at) => [`1/s1-${at}.log`, 1] as const);
  const folder = await folderWith(files);
  const settings = { folder, fileBytesMax: 1e6, totalBytesMax: 1e9, filesMax: 10 };
  const outputs = new OutputFolder(settings);
  outputs.begin(1, 's1:0');
  await outputs.clean();
  const kept = ['0', '12', '13', '14', '15', '16', '17', '18', '19'];
  assert.deepEqual(filesIn(folder), kept.map((at) => `1/s1-${at}.log`).sort());
});

test('what runs write is counted, so that a cleaning begins by itself', async () => {
  const folder = await folderWith([['1/s1-1.log', 600]]);
  const outputs = new OutputFolder({ folder, fileBytesMax: 500, totalBytesMax: 1_000 });
  await outputs.clean();
  const plan = outputs.begin(1, 's1:2');
  assert.deepEqual(plan, { path: path.join(folder, '1', 's1-2.log'), bytesMax: 500 });
  await writeFile(plan.path, Buffer.alloc(500));
  outputs.ended(plan, 10_000);
  await outputs.clean();
  assert.deepEqual(filesIn(folder), ['1/s1-2.log']);
});

test('no launch id and no job leads out of the folder', () => {
  const outputs = new OutputFolder({ folder: root, fileBytesMax: 1, totalBytesMax: 1e12 });
  for (const launchId of ['../x:1', 's1/../../x:1', 's1:1/..', 's1', '', 's1:1\n']) {
    assert.throws(() => outputs.begin(1, launchId), /is no launch id/, launchId);
  }
});

test('the folder is made for its user alone, and refused if others may write to it', async () => {
  const made = path.join(root, 'made', 'for', 'us');
  await makeOutputFolder(made);
  await makeOutputFolder(made);
  chmodSync(made, 0o777);
  await assert.rejects(makeOutputFolder(made), /others may write to it/);
  const link = path.join(root, 'link');
  symlinkSync(root, link);
  await assert.rejects(makeOutputFolder(link), /it is no folder/);
});
