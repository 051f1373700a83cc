import { gatherEvidence } from '../evidence.ts';
import type { History } from '../history.ts';
import type { Availability } from '../measureAvailability.ts';
import { type TimelineData, timelineData } from '../timeline/timelineData.ts';
import type { Rule, Violation } from '../violation.ts';
import { type Explained, explainViolation } from './explainViolation.ts';
import { claimantsOf } from './launchFacts.ts';
import type { RunMessages } from './runMessages.ts';
import { type ShownMessages, showMessages } from './showMessages.ts';

/** What a report tells besides the history: what is known only by who had the run judged. */
export interface ReportContext {
  readonly folder: string;
  readonly availability: Availability;
  /** Names of all kinds of faults that there are. */
  readonly kindsKnown: readonly string[];
  readonly notRun: readonly { readonly kind: string; readonly reason: string }[];
  readonly troubles: readonly string[];
  /** What nodes reported of launches; absent: nobody asked them. */
  readonly messages?: RunMessages;
}

/** A violation as the report shows it. */
export interface ReportedViolation {
  readonly rule: string;
  readonly promise: string;
  readonly what: string;
  readonly at: number;
  readonly job: string | null;
  readonly node: string | null;
  /** Launches to be marked in the lanes. */
  readonly launches: readonly string[];
  /** Null: many of its rule are explained already. */
  readonly explained: Explained | null;
}

export interface ReportData extends TimelineData {
  readonly about: { readonly runs: number; readonly engine: string; readonly seed: number };
  /** The gravest rule first, each in the order of time. */
  readonly violations: readonly ReportedViolation[];
  readonly ticks: Omit<Availability, 'latest' | 'share'>;
  readonly kinds: {
    readonly known: readonly string[];
    readonly notRun: ReportContext['notRun'];
  };
  readonly troubles: readonly string[];
  /** Null: nobody asked for them. */
  readonly messages: ShownMessages | null;
  /** Command lines; `again` null: the history does not say how it was made. */
  readonly commands: { readonly replay: string; readonly again: string | null };
}

/** All that the report draws and says: plain JSON, in seconds since the history began. */
export function reportData(
  history: History,
  violations: readonly Violation[],
  context: ReportContext,
): ReportData {
  const evidence = gatherEvidence(history);
  const { about } = history;
  const seconds = (atMs: number): number => Math.round(atMs - about.startedMs) / 1_000;
  const faults = [...history.faults].sort((a, b) => a.fromMs - b.fromMs);
  const explaining = { evidence, faults, seconds, claimants: claimantsOf(evidence) };
  const counts = new Map<string, number>();
  const { latest: _latest, share: _share, ...ticks } = context.availability;
  const timeline = timelineData(evidence, faults, seconds);
  const reported = byHarm(violations).map((violation) => {
    const { rule, promise, what, atMs, job, node, launches } = violation;
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    const explained = count > explainedMax ? null : explainViolation(explaining, violation);
    return { rule, promise, what, at: seconds(atMs), job, node, launches, explained };
  });
  return {
    ...timeline,
    about: { runs: history.runs.length, engine: about.engine, seed: about.seed },
    violations: reported,
    ticks,
    kinds: { known: context.kindsKnown, notRun: context.notRun },
    troubles: context.troubles,
    messages:
      context.messages === undefined
        ? null
        : showMessages(evidence, context.messages, shownLaunches(reported, timeline), seconds),
    commands: {
      replay: `npm run fault -- --replay ${quoted(context.folder)}`,
      again: about.command ?? null,
    },
  };
}

/** The launches that violations show, then those of the lanes, the latest first. */
function shownLaunches(
  violations: readonly ReportedViolation[],
  { lanes }: TimelineData,
): readonly string[] {
  const explained = violations.flatMap((each) => each.explained?.launches ?? []);
  const bars = lanes.flatMap((lane) => lane.bars).sort((a, b) => b.from - a.from);
  return [...explained.map(({ launchId }) => launchId), ...bars.map(({ launch }) => launch)];
}

/** What happened to jobs before what is merely written, and each rule in the order of time. */
function byHarm(violations: readonly Violation[]): Violation[] {
  return [...violations].sort((a, b) => harms.indexOf(a.rule) - harms.indexOf(b.rule));
}

const harms: readonly Rule[] = [
  ...(['C4', 'C3', 'C5', 'C2', 'C1', 'C8'] as const),
  ...(['C10', 'C9', 'C12', 'C11', 'C7', 'C6'] as const),
];

/** So many of each rule are explained; the others are of the same making as a rule. */
const explainedMax = 25;

/** An argument as a shell reads it. */
export function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
