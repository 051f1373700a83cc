import type { RunView } from '../../http/contract/runContract.ts';
import { formatExactInstant } from '../output/formatInstant.ts';
import { formatTook } from '../output/formatTook.ts';
import { printLine } from '../output/print.ts';

type Life = NonNullable<RunView['life']>;
type Phase = Life['phases'][number];

/** Prints phases and marks of a life by time; a terminal with room has a bar of each phase. */
export function printLife(run: RunView, timezone: string): void {
  const { life } = run;
  if (life === undefined) return;
  const { columns, isTTY } = process.stdout;
  const bars = isTTY && columns >= columnsMin ? barsOf(life, Math.min(columns - left, 40)) : [];
  const phases = life.phases.map((phase, index) => ({
    at: phase.begin,
    line: `${phase.name.padEnd(10)} ${tookText(phase, life.at).padEnd(12)} ${bars[index] ?? ''}`,
  }));
  const marks = life.marks.map(({ at, text }) => ({ at, line: text }));
  printLine('life');
  // A mark stands before the phase that it begins.
  const lines = [...marks, ...phases];
  lines.sort((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
  for (const { at, line } of lines) {
    const when = formatExactInstant(at, timezone) ?? 'not known';
    printLine(`  ${when.padEnd(whenWidth)}  ${line.trimEnd()}`);
  }
  // A node of an earlier version does not know of them.
  printMessages(life.messages ?? [], timezone);
}

/** What its actors said of it: by whom, to whom, and what the machine of its slot made of it. */
function printMessages(messages: NonNullable<Life['messages']>, timezone: string): void {
  if (messages.length === 0) return;
  printLine('messages');
  const ways = messages.map(({ from, to }) => (from === null ? to : `${from} > ${to}`));
  const wide = Math.max(...ways.map(({ length }) => length));
  const long = Math.max(...messages.map(({ event }) => event.length));
  for (const [index, { at, event, state }] of messages.entries()) {
    const when = formatExactInstant(at, timezone) ?? '';
    const what = `${(ways[index] ?? '').padEnd(wide)}  ${event.padEnd(long)}  ${state ?? ''}`;
    printLine(`  ${when.padEnd(whenWidth)}  ${what.trimEnd()}`);
  }
}

const columnsMin = 80;
/** `2030-01-31 09:30:00.000 +01:00`. */
const whenWidth = 30;
/** What stands before the bars. */
const left = 2 + whenWidth + 2 + 10 + 1 + 12 + 1;

function tookText({ begin, end }: Phase, at: string | null): string {
  const until = end ?? at;
  if (begin === null || until === null) return 'not known';
  const took = formatTook(Date.parse(until) - Date.parse(begin));
  return end === null ? `${took} so far` : took;
}

/** Of each phase whose begin and end are known. */
function barsOf({ at, phases }: Life, width: number): string[] {
  const known = phases.flatMap(({ begin, end }) => [begin ?? [], end ?? at ?? []].flat());
  const instants = known.map((each) => Date.parse(each));
  const [from, to] = [Math.min(...instants), Math.max(...instants)];
  const place = (ms: number) => Math.round(((ms - from) / Math.max(to - from, 1)) * width);
  return phases.map(({ begin, end }) => {
    const until = end ?? at;
    if (begin === null || until === null) return '';
    const first = Math.min(place(Date.parse(begin)), width - 1);
    return ' '.repeat(first) + '='.repeat(Math.max(1, place(Date.parse(until)) - first));
  });
}
