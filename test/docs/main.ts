import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedPages } from './generatedPages.ts';

const folder = path.resolve(import.meta.dirname, '../../docs');
for (const [name, text] of Object.entries(await generatedPages())) {
  writeFileSync(path.join(folder, `${name}.md`), text);
}
