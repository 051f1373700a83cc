import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { recordFailover } from './recordFailover.ts';
import { terminalSvg } from './terminalSvg.ts';

/**
 * `npm run recording`: lets a node of three die on a private database and writes what the terminal
 * showed as a picture; with a name, into that file.
 */
const [file = path.resolve(import.meta.dirname, '../../docs/failover.svg')] = process.argv.slice(2);
const columns = 96;
const lines = await recordFailover(columns);
for (const { source, text } of lines) console.log(`${source.padEnd(7)}${text}`);
writeFileSync(
  file,
  terminalSvg('one of three nodes is killed (played at twice the speed)', lines, columns + 8),
);
console.log(`Wrote ${file}.`);
