import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { layoutMachines, pageStyle, renderMachines } from './renderMachines.ts';

/** `npm run statecharts`: writes every diagram beside its machine, and their colours. */
const root = path.resolve(import.meta.dirname, '../..');
const drawings = renderMachines(await layoutMachines()).map(({ name, text }) => ({
  name: `statecharts/${name}`,
  text,
}));
for (const { name, text } of [
  ...drawings,
  { name: 'src/page/style/chartColours.css', text: pageStyle() },
]) {
  await writeFile(path.join(root, name), text);
  console.log(name);
}
