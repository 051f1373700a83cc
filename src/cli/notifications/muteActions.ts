import type { Muted } from '../../domain/notifications/mute.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { MuteView } from '../../http/views/muteView.ts';
import { readTimezones } from '../connect/readTimezones.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readEnd } from '../options/readTime.ts';
import { formatAway, formatInstant, localTimezone } from '../output/formatInstant.ts';
import { printLine } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { instantCell } from '../output/table/cells.ts';
import type { TableOptions } from '../output/table/printTable.ts';

interface MutedOptions extends ClusterOptions {
  readonly group?: string;
  readonly target?: string;
}

/** `notify mute`. */
export async function muteAction(
  job: string | undefined,
  options: MutedOptions & {
    readonly until: ReturnType<typeof readEnd>;
    readonly note?: string;
  },
): Promise<void> {
  const muted = mutedOf(job, options, 'See: statecron notify mute --help');
  const { note = null, until } = options;
  let timezone = localTimezone();
  const send = async (operator: ApiOperator) => {
    if (job !== undefined) timezone = (await readTimezones(operator, [job]))(job);
    return operator.muteNotifications(muted, { end: until(timezone), note });
  };
  await printAnswer(options, send, ({ mute }) => {
    if (mute !== null) printLine(`${textOf(muted)} is muted ${untilText(mute, timezone)}.`);
  });
}

/** `notify unmute`. */
export async function unmuteAction(job: string | undefined, options: MutedOptions): Promise<void> {
  const muted = mutedOf(job, options, 'See: statecron notify unmute --help');
  await printAnswer(
    options,
    (operator) => operator.unmuteNotifications(muted),
    ({ changed }) => printLine(`${textOf(muted)} ${changed ? 'is not muted any more' : wasNot}.`),
  );
}

const wasNot = 'was not muted';

/** `notify mutes`. */
export async function listMutesAction(options: ClusterOptions & TableOptions): Promise<void> {
  const zone = localTimezone();
  await printList(options, {
    read: (operator) => operator.listMutes(),
    empty: 'Nothing is muted.',
    columns: [
      { heading: 'KIND', of: ({ kind }) => kind },
      { heading: 'NAME', of: ({ name }) => name, cutTo: 16 },
      { heading: 'SINCE', of: ({ since }) => instantCell(since, zone), rank: 2 },
      { heading: 'UNTIL', of: ({ until }) => instantCell(until, zone) },
      { heading: 'BY', of: ({ by }) => by || '-', rank: 1, cutTo: 12 },
      { heading: 'NOTE', of: ({ note }) => note || '-', wrapTo: 16 },
    ],
  });
}

type MuteTime = Pick<MuteView, 'by' | 'note' | 'until'>;

/** `until … by …: why`, in a zone. */
export function untilText({ by, note, until }: MuteTime, timezone: string): string {
  const who = by === '' ? '' : ` by ${by}`;
  const why = note === '' ? '' : `: ${note}`;
  return `until ${formatInstant(until, timezone)} (${formatAway(until)})${who}${why}`;
}

/** A line for each mute that holds back notifications about a job, for its fields. */
export function muteLines(mutes: readonly MuteView[], timezone: string): [string, string][] {
  return mutes.map((mute) => {
    const whose = mute.kind === 'job' ? '' : `${textOf(mute)}, `;
    return ['muted', `${whose}${untilText(mute, timezone)}`];
  });
}

function textOf({ kind, name }: Muted): string {
  return kind === 'job' ? name : `${kind} ${name}`;
}

/** @throws OperatorError (2) unless just one thing is named */
function mutedOf(job: string | undefined, { group, target }: MutedOptions, see: string): Muted {
  const given = Object.entries({ job, group, target }).flatMap(([kind, name]) =>
    name === undefined ? [] : [{ kind, name } as Muted],
  );
  const [muted, ...others] = given;
  if (muted !== undefined && others.length === 0) return muted;
  throw usageFault('One of JOB, --group and --target is required.', see);
}
