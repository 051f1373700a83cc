import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skip } from '../browser/browserProgram.ts';
import { bytesMax } from './pictureTable.ts';
import { takePictures } from './takePictures.ts';

/**
 * `npm run pictures`: takes the pictures of the page that `README.md` and `docs` show, of a cluster
 * of its own. `--small`: of one with little history, and writes none.
 */
const isSmall = process.argv.includes('--small');
if (skip !== false) {
  console.log(skip);
} else {
  const folder = path.resolve(import.meta.dirname, '../../docs/pictures');
  const taken = await takePictures(isSmall ? 3 : 24);
  let bytes = 0;
  for (const [name, picture] of taken) {
    bytes += picture.length;
    console.log(`${name}: ${Math.ceil(picture.length / 1024)} KiB`);
    if (isSmall) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), picture);
  }
  assert.ok(bytes <= bytesMax, `they have ${bytes} bytes; ${bytesMax} are allowed`);
}
