import { printLine } from '../output/print.ts';
import { stateCell } from '../output/table/cells.ts';
import { printTable } from '../output/table/printTable.ts';
import type { ImportedLine } from './planImport.ts';

/** How many lines came to what. */
export function countResults(imported: readonly ImportedLine[]) {
  const count = (result: ImportedLine['result']): number =>
    imported.filter((line) => line.result === result).length;
  return {
    added: count('added'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    read: count('read'),
    failed: count('fault'),
  };
}

/** The lines with what became of each, then each note once, with the lines that it is about. */
export function printImport(
  imported: readonly ImportedLine[],
  { isDone, isLeavingOut }: { readonly isDone: boolean; readonly isLeavingOut: boolean },
): void {
  const shown = imported.filter((line) => line.result !== 'blank');
  printTable(
    [
      { heading: 'LINE', of: ({ line }) => `${line}` },
      { heading: 'RESULT', of: ({ result }) => stateCell(result) },
      { heading: 'WHAT', of: whatOf, wrapTo: 30 },
    ],
    shown,
  );
  const notes = notesOf(imported);
  if (notes.length > 0) {
    printTable(
      [
        { heading: 'LINES', of: ([, lines]) => linesText(lines), wrapTo: 12 },
        { heading: 'NOTE', of: ([note]) => note, wrapTo: 30 },
      ],
      notes,
    );
  }
  const { added, updated, unchanged, read, failed } = countResults(imported);
  const done = `${added} added, ${updated} updated, ${unchanged} unchanged`;
  const would = isDone ? '' : 'Nothing was changed; it would be: ';
  const rest = isLeavingOut ? 'left out' : 'failed';
  printLine(`${would}${read > 0 ? `${read} imported` : done}, ${failed} ${rest}.`);
}

function whatOf(line: ImportedLine): string {
  if (line.result === 'fault') return `${line.message}: ${line.text.trim()}`;
  if (line.job === undefined) return line.text.trim();
  return `${line.job.name}: ${line.job.schedule} (${line.job.timezone})`;
}

function notesOf(imported: readonly ImportedLine[]): [string, number[]][] {
  const linesOf = new Map<string, number[]>();
  for (const { line, notes } of imported) {
    for (const note of notes) linesOf.set(note, [...(linesOf.get(note) ?? []), line]);
  }
  return [...linesOf];
}

/** `3, 5-8`: those that follow each other are joined. */
function linesText(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === line) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
