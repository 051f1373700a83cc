import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { layoutMachines, renderMachines } from './renderMachines.ts';

/** `npm run statecharts`: writes every diagram beside its machine. */
const folder = path.resolve(import.meta.dirname, '../../statecharts');
for (const { name, text } of renderMachines(await layoutMachines())) {
  await writeFile(path.join(folder, name), text);
  console.log(`statecharts/${name}`);
}
