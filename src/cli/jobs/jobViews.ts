import { diffFields } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { sentenceNames, showDefinition } from '../../domain/job/showDefinition.ts';
import { jobState } from '../../domain/run/jobState.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { orMissing } from '../../http/client/nodeFaults.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ChainView } from '../../http/views/chainView.ts';
import { definitionOf, type ShownJobView } from '../../http/views/jobView.ts';
import { printAnswer } from '../connect/withOperator.ts';
import { muteLines } from '../notifications/muteActions.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';
import { eachChange } from '../output/lines/eachChange.ts';
import { printFields } from '../output/lines/printFields.ts';
import { printLine, printNote } from '../output/print.ts';
import { commandOf } from '../output/runName.ts';
import { agoCell, instantCell, stateCell } from '../output/table/cells.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';
import { resultText } from '../runs/runColumns.ts';
import { chainLines } from './chainLines.ts';

interface ShowOptions extends TableOptions {
  readonly timezone?: string;
}

/** `job show`. */
export async function showJobAction(
  name: string,
  options: ClusterOptions & ShowOptions,
): Promise<void> {
  let last: RunView | null = null;
  let chain: ChainView | null = null;
  await printAnswer(
    options,
    async (operator) => {
      // JSON is what the API answers.
      if (options.json) return operator.showJob(name);
      // What the oldest one changed is known by the one before it.
      const job = await operator.showJob(name, revisionsShown + 1);
      last = await lastRun(operator, job);
      // A node of an earlier release knows no chains.
      chain = await orMissing('path_missing', () => operator.readChain(name));
      return job;
    },
    (job) => printJob(job, { chain, last }, options),
  );
}

const revisionsShown = 20;

/** The newest row of its history, which those of removed jobs of its name are in, too. */
async function lastRun(
  operator: ApiOperator,
  { createdAt, job }: ShownJobView,
): Promise<RunView | null> {
  for await (const run of operator.listRuns({ job, runsMax: removedMax })) {
    if ((run.startedAt ?? run.endedAt ?? '') >= createdAt) return run;
  }
  return null;
}

/** So many of them at most may have ended since it was added. */
const removedMax = 20;

/** Of a long command the beginning; whole where there is no terminal. */
export function commandText(command: string, isWide: boolean): string {
  const isWhole = isWide || !process.stdout.isTTY || command.length <= commandShown;
  return isWhole ? command : `${command.slice(0, commandShown)}…`;
}

const commandShown = 60;

/** What is shown of a job besides the job itself. */
interface JobSurroundings {
  readonly last: RunView | null;
  readonly chain: ChainView | null;
}

function printJob(job: ShownJobView, { chain, last }: JobSurroundings, options: ShowOptions): void {
  const { mayRunOn, next } = job;
  const definition = definitionOf(job);
  const { timezone = definition.timezone } = options;
  printFields(
    [
      ['job', job.job],
      ['state', stateText(job, timezone)],
      // What it is started by says more.
      ...showDefinition(definition).filter(([name]) => chain === null || name !== 'after'),
      ...chainLines(chain, timezone),
      ['imported', definition.origin ?? null],
      ['may run on', mayRunOn.length === 0 ? 'no live node' : mayRunOn.join(', ')],
      // A node of an earlier release does not say what is muted.
      ...muteLines(job.mutes ?? [], timezone),
      ['pending', job.pending > 0 ? `${job.pending} requested launches` : null],
      ...nextLines(next, timezone, Date.parse(job.now)),
      ['last', last === null ? null : lastText(last, timezone)],
      ['see', last === null ? null : commandOf(last)],
      ['revision', `${job.revision}`],
    ],
    ['state', 'may run on', 'last', ...sentenceNames],
  );
  printLine('');
  printTable(slotColumns(timezone), job.slots, options);
  printLine('');
  const shown = job.revisions.slice(0, revisionsShown);
  printTable(revisionColumns(job.revisions, timezone, options.wide === true), shown, options);
  const isKept = job.paused || definition.observed === true || mayRunOn.length === 0;
  if (isKept) printNote(`What keeps it from running: statecron job why ${shellWord(job.job)}`);
}

function lastText(last: RunView, timezone: string): string {
  const where = last.node === null ? '' : ` on ${last.node}`;
  const ended = last.endedAt ?? last.scheduledFor;
  const when = `${formatInstant(ended, timezone)} (${formatAway(ended)})`;
  return `${resultText(last)}${where}, ended ${when}`;
}

/** The next ticks, a line each, and how far away the first is. */
function nextLines(next: readonly string[], timezone: string, nowMs: number): [string, string][] {
  if (next.length === 0) return [['next', '-']];
  return next.map((tick, index) => {
    const away = index === 0 ? ` (${formatAway(tick, nowMs)})` : '';
    return ['next', `${formatInstant(tick, timezone)}${away}`];
  });
}

function slotColumns(timezone: string): Column<ShownJobView['slots'][number]>[] {
  return [
    {
      heading: 'SLOT',
      of: ({ nodeName, slotNo }) => `${nodeName}${nodeName === '' ? '' : ':'}${slotNo}`,
    },
    {
      heading: 'STATE',
      of: ({ state, stopping }) => stateCell(stopping ? `${state}, stopping` : state),
    },
    {
      heading: 'NEXT',
      // Of a slot that executes it is when its launch was to start.
      of: ({ nextRunAt, state }) => instantCell(state === 'executing' ? null : nextRunAt, timezone),
      rank: 3,
    },
    { heading: 'STARTED', of: ({ startedAt }) => instantCell(startedAt, timezone), rank: 2 },
    { heading: 'NODE', of: ({ node }) => node ?? '-', rank: 1 },
    { heading: 'LAUNCH', of: ({ launchId }) => launchId ?? '-' },
  ];
}

type Revision = ShownJobView['revisions'][number];

function revisionColumns(
  all: readonly Revision[],
  timezone: string,
  isWide: boolean,
): Column<Revision>[] {
  return [
    {
      heading: 'REVISION',
      of: ({ revision, paused, definition }) => {
        const marks = [paused && 'paused', definition.observed && 'observed'].filter(Boolean);
        return `${revision}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
      },
    },
    { heading: 'FROM', of: (each) => agoCell(each.inForceFrom, timezone, isWide) },
    { heading: 'UNTIL', of: (each) => agoCell(each.inForceUntil, timezone, isWide), rank: 4 },
    { heading: 'CHANGED', of: (each) => changedText(each, all), rank: 1, cutTo: 12 },
    { heading: 'SCHEDULE', of: (each) => schedulesOf(each.definition), rank: 3, cutTo: 9 },
    {
      heading: 'COMMAND',
      of: ({ definition }) => commandText(definition.command, isWide),
      rank: 2,
      cutTo: 12,
    },
  ];
}

/** The fields that a revision has otherwise than the one before it: `job diff` has their values. */
function changedText(revision: Revision, all: readonly Revision[]): string {
  if (revision.revision === 1) return 'added';
  const before = all.find((each) => each.revision === revision.revision - 1);
  if (before === undefined) return '-';
  const { paused, reason } = revision;
  const isOther = paused !== before.paused || (paused && reason !== before.reason);
  const fields = diffFields(definitionOf(before), definitionOf(revision), 'flag');
  const names = fields.flatMap(eachChange).map(({ field }) => field);
  return [...(isOther ? [paused ? 'paused' : 'resumed'] : []), ...names].join(', ') || '-';
}

/** All schedules of a revision. */
function schedulesOf(definition: Revision['definition']): string {
  const { moreSchedules = [] } = definition as Pick<JobDefinition, 'moreSchedules'>;
  return [definition.schedule, ...moreSchedules].join(' and ');
}

/** What a slot of a node that is away has waits for that node alone. */
function isDue(slot: ShownJobView['slots'][number], { mayRunOn, now }: ShownJobView): boolean {
  const { nextRunAt, nodeName } = slot;
  return nextRunAt !== null && nextRunAt <= now && ['', ...mayRunOn].includes(nodeName);
}

/** The word that a list has for it, and until when it is paused, or why. */
function stateText(job: ShownJobView, timezone: string): string {
  const { definition, mayRunOn, paused, slots } = job;
  const free = slots.filter(({ state }) => state !== 'executing');
  const isObserved = definition.observed === true;
  const state = jobState({
    executing: slots.length - free.length,
    due: free.filter((slot) => isDue(slot, job)).length,
    isPaused: paused,
    isObserved,
    isRunnable: mayRunOn.length > 0,
  });
  const running = state === 'running' ? 'running, ' : '';
  if (!paused) return running && isObserved ? `${running}observed` : state.replace('_', ' ');
  return `${running}${pauseText(job, timezone)}`;
}

/** Until when a paused job is, by whom and why. */
export function pauseText(job: ShownJobView, timezone: string): string {
  const { now, resumeAt, revisions } = job;
  if (!resumeAt) return revisions[0]?.reason ?? 'paused';
  const until = `until ${formatInstant(resumeAt, timezone)}`;
  const away = formatAway(resumeAt, Date.parse(now));
  const { by = '', note = '' } = job.pause ?? {};
  const who = by === '' ? '' : ` by ${by}`;
  return `paused ${until} (${away})${who}${note === '' ? '' : `: ${note}`}`;
}
