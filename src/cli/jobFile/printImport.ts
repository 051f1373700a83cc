import { counted } from '../../domain/text/counted.ts';
import { valueText } from '../jobs/revisionActions.ts';
import { eachChange } from '../output/lines/eachChange.ts';
import { printLine, printNote } from '../output/print.ts';
import { type Cell, stateCell } from '../output/table/cells.ts';
import { printTable } from '../output/table/printTable.ts';
import type { ImportedLine, PlannedLine } from './importPlan.ts';

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

/**
 * The lines with what became of each, then each note once, with the lines that it is about; those
 * that were said before are shown by a dry run alone.
 */
export function printImport(
  planned: readonly PlannedLine[],
  how: { readonly isDone: boolean; readonly isDryRun: boolean; readonly isLeavingOut: boolean },
): void {
  const imported = how.isDryRun
    ? planned.map((line) => ({ ...line, known: [] }))
    : withKnown(planned);
  const shown = imported.filter((line) => line.result !== 'blank');
  const isAnyChange = shown.some(({ changes = [] }) => changes.length > 0);
  printTable(
    [
      { heading: 'LINE', of: ({ line }) => `${line}` },
      { heading: 'RESULT', of: ({ result }) => resultCell(result, how) },
      { heading: 'WHAT', of: whatOf, wrapTo: 30 },
      ...(isAnyChange ? [{ heading: 'CHANGES', of: changesOf, wrapTo: 30 }] : []),
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
  const known = new Set(imported.flatMap((line) => line.known));
  for (const [note] of notes) known.delete(note);
  if (known.size > 0) {
    const of = 'on what is unchanged';
    const notRepeated = counted(known.size, `note ${of} is`, `notes ${of} are`);
    printNote(`${notRepeated} not repeated; --dry-run shows all.`);
  }
  const { added, updated, unchanged, read, failed } = countResults(imported);
  const done = `${added} added, ${updated} updated, ${unchanged} unchanged`;
  const result = read > 0 ? `${read} ${read === 1 ? 'job' : 'jobs'} read` : done;
  const faults = imported.filter(({ result }) => result === 'fault').map(({ line }) => line);
  if (failed > 0 && !how.isLeavingOut) {
    const stops = failed === 1 ? 'stops' : 'stop';
    const lines = `${failed === 1 ? 'line' : 'lines'} ${linesText(faults)}`;
    const nothing = how.isDryRun ? 'It would change nothing' : 'Nothing was changed';
    printLine(`${nothing}: ${lines} ${stops} it. With --skip-faults: ${result}.`);
    return;
  }
  const leftOut = failed > 0 ? `, ${failed} left out` : '';
  printLine(`${how.isDone ? '' : 'Nothing was changed; it would be: '}${result}${leftOut}.`);
}

/** What was not done is said so: `would add`. */
function resultCell(
  result: ImportedLine['result'],
  { isDone, isLeavingOut }: { readonly isDone: boolean; readonly isLeavingOut: boolean },
): Cell {
  if (result === 'fault') {
    return isLeavingOut
      ? { texts: ['left out'], colour: 'yellow' }
      : { texts: ['cannot import'], colour: 'red' };
  }
  if (isDone) return stateCell(result);
  if (result === 'added') return { texts: ['would add'], colour: 'green' };
  return result === 'updated' ? { texts: ['would update'], colour: 'yellow' } : stateCell(result);
}

function whatOf(line: ImportedLine): string {
  const text = line.text.trim().replaceAll('\t', ' ');
  if (line.result === 'fault') return `${text}: ${line.message}`;
  if (line.job === undefined) return text;
  return `${line.job.name}: ${line.job.schedule} (${line.job.timezone})`;
}

function changesOf({ changes = [] }: ImportedLine): string {
  const texts = changes
    .flatMap(eachChange)
    .map(({ field, before, after }) => `${field} ${valueText(before)} → ${valueText(after)}`);
  return texts.join('; ') || '-';
}

/** What is said of variables is about the jobs below, which may all be unchanged. */
function withKnown(planned: readonly PlannedLine[]): PlannedLine[] {
  const jobs = planned.filter(({ job }) => job !== undefined);
  if (jobs.length === 0 || jobs.some(({ result }) => result !== 'unchanged')) return [...planned];
  return planned.map((line) =>
    line.result === 'variable' ? { ...line, known: line.notes } : line,
  );
}

function notesOf(imported: readonly PlannedLine[]): [string, number[]][] {
  const linesOf = new Map<string, number[]>();
  for (const { known, line, notes } of imported) {
    for (const note of notes.filter((each) => !known.includes(each))) {
      const same = linesOf.get(note);
      if (same === undefined) linesOf.set(note, [line]);
      else same.push(line);
    }
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
