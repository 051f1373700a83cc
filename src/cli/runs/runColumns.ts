import { withoutNote } from '../../domain/reasons/reasons.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import { formatInstant, withLocalInstants } from '../output/formatInstant.ts';
import { formatTook } from '../output/formatTook.ts';
import { agoCell, type Cell, instantCell, stateCell } from '../output/table/cells.ts';
import type { Column } from '../output/table/printTable.ts';
import { cutToWidth } from '../output/table/textWidth.ts';

interface RunColumns {
  readonly isRunning: boolean;
  readonly isWide: boolean;
  readonly isAnyReason: boolean;
  readonly isAnyOther: boolean;
}

/**
 * What executes now has begun, and has no number yet; all else has ended. How long ago that was is
 * said on every width, the instant of it with --wide and where there is no terminal. All times are
 * in one zone, so that they can be compared.
 */
export function runColumns(
  timezone: string,
  { isRunning, isWide, isAnyReason, isAnyOther }: RunColumns,
): Column<RunView>[] {
  const launch: Column<RunView> = { heading: 'LAUNCH', of: ({ launchId }) => launchId ?? '-' };
  return [
    {
      heading: isRunning ? 'STARTED' : 'ENDED',
      of: ({ endedAt, startedAt }) => agoCell(endedAt ?? startedAt, timezone, isWide),
    },
    { heading: 'JOB', of: ({ job }) => job, cutTo: 20 },
    { heading: 'RESULT', of: (run) => stateCell(`${resultText(run)}${timesText(run)}`) },
    {
      heading: 'SCHEDULED FOR',
      of: ({ scheduledFor }) => tickCell(scheduledFor, timezone),
      rank: 6,
    },
    ...(isAnyOther ? [{ heading: 'TRIGGER', of: triggerCell, rank: 5 }] : []),
    { heading: isRunning ? 'ELAPSED' : 'TOOK', of: tookText, rank: 3 },
    // Where it ran and what it is called is needed next: these stay.
    { heading: 'NODE', of: ({ node }) => node ?? '-', cutTo: 12 },
    ...(isRunning ? [] : [{ heading: 'RUN', of: numberText }]),
    ...(isRunning || isWide ? [{ ...launch, rank: 2 }] : []),
    ...(isAnyReason ? [reasonColumn(timezone)] : []),
  ];
}

function tickCell(tick: string, timezone: string): Cell {
  return { ...instantCell(tick, timezone), texts: [formatInstant(tick, timezone)] };
}

/** Of a row that stands for several ticks how many. */
function timesText({ ticks }: RunView): string {
  return ticks > 1 ? ` x${ticks}` : '';
}

function triggerCell({ attempt, trigger }: RunView): Cell {
  return { texts: attempt > 1 ? [`${trigger}, attempt ${attempt}`, trigger] : [trigger] };
}

function numberText({ runId }: RunView): string {
  return runId === null ? '-' : `${runId}`;
}

function reasonColumn(timezone: string): Column<RunView> {
  return {
    heading: 'REASON',
    of: (run) => {
      const text = withLocalInstants(shownReason(run) ?? '-', timezone);
      return { texts: [text, cutToWidth(text, reasonWidthMax)] };
    },
    rank: 4,
    wrapTo: 30,
    isBelow: true,
  };
}

/** Where a run ran may be why it failed, if nothing else is said to be. */
export function shownReason({ reason, result }: RunView): string | null {
  return withoutNote(reason) ?? (result === 'failed' ? reason : null);
}

/** Where a reason does not fit into one line, so much of it is broken into lines. */
const reasonWidthMax = 96;

/** Of what has not ended how long it has taken so far. */
function tookText({ endedAt, startedAt }: RunView): string {
  if (startedAt === null) return '-';
  const endMs = endedAt === null ? Date.now() : Date.parse(endedAt);
  return formatTook(Math.max(0, endMs - Date.parse(startedAt)));
}

/** How a run ended, or where it stands. */
export function resultText(run: RunView): string {
  if (run.result === null) return run.startedAt === null ? 'waiting' : 'running';
  if (run.result !== 'failed') return run.result;
  return run.signal === null
    ? `failed (${run.exitCode === null ? 'no process' : `exit ${run.exitCode}`})`
    : `failed (${run.signal})`;
}
