import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeViolation } from '../checkers/describeViolation.ts';
import { groupBy } from '../checkers/groupBy.ts';
import type { History } from '../checkers/history.ts';
import { judge } from '../checkers/judge.ts';
import { type Availability, measureAvailability } from '../checkers/measureAvailability.ts';
import type { ReportContext } from '../checkers/report/reportData.ts';
import type { RunMessages } from '../checkers/report/runMessages.ts';
import type { Violation } from '../checkers/violation.ts';
import { faultKinds } from './faults/faultKinds.ts';

/** What a history came to. */
export interface Verdict {
  readonly isClean: boolean;
  readonly violations: readonly Violation[];
  /** For people. */
  readonly text: string;
  /** For programs: plain JSON. */
  readonly figures: Record<string, unknown>;
  /** For the report. */
  readonly context: ReportContext;
}

export interface VerdictContext {
  readonly folder: string;
  readonly notRun: readonly { readonly kind: string; readonly reason: string }[];
  readonly troubles: readonly string[];
  /** What nodes reported of launches; absent: nobody asked them. */
  readonly messages?: RunMessages;
}

const violationsShownMax = 20;

/** Judges a history and puts the judgement into words. */
export function judgeHistory(history: History, context: VerdictContext): Verdict {
  const violations = judge(history);
  const availability = measureAvailability(history);
  const byKind = countBy(history.faults, ({ kind }) => kind);
  const results = countBy(history.runs, ({ result }) => result);
  const operations = countBy(history.operations, ({ kind, outcome }) => `${kind} ${outcome}`);
  const ways = countBy(history.operations, ({ via = 'database' }) => via);
  const kindsKnown = faultKinds().map(({ kind }) => kind);
  const kindsUsed = Object.keys(byKind).length;
  const isClean = violations.length === 0;
  const shown = violations
    .slice(0, violationsShownMax)
    .map((each) => describeViolation(each, history));
  const more = violations.length - shown.length;
  const { about } = history;
  const lines = [
    '',
    ...shown,
    ...(more > 0 ? [`… and ${more} violations more`] : []),
    `faults: ${history.faults.length}, of ${kindsUsed} of the ${kindsKnown.length} kinds known`,
    ...Object.entries(byKind).map(([kind, number]) => `  ${String(number).padStart(3)} ${kind}`),
    `operations: ${listed(operations)}`,
    `  sent to: ${listed(ways)}`,
    `processes: ${history.processes.length}; runs: ${listed(results)}`,
    `sessions: ${history.sessions.length}; node processes: ${history.lives.length}`,
    ...tickLines(availability),
    ...lateLines(availability, about.startedMs),
    ...context.troubles.map((text) => `not as planned: ${text}`),
    ...notRunLines(context.notRun),
    isClean
      ? `No promise was broken (seed ${about.seed}, ${about.engine}).`
      : `${violations.length} violations (seed ${about.seed}, ${about.engine}).`,
    `folder: ${context.folder} (history.json, and the nodes' logs where the run started them)`,
    `report: ${pathToFileURL(path.join(context.folder, 'report.html')).href}`,
    '',
  ];
  return {
    isClean,
    violations,
    context: { ...context, availability, kindsKnown },
    text: lines.join('\n'),
    figures: {
      seed: about.seed,
      engine: about.engine,
      nodes: about.nodes.length,
      seconds: Math.round((about.readMs - about.startedMs) / 1000),
      violations: violations.map(({ rule, promise, what }) => ({ rule, promise, what })),
      faults: byKind,
      kindsKnown: kindsKnown.length,
      faultsInAll: history.faults.length,
      operations,
      ways,
      runs: results,
      processes: history.processes.length,
      availability,
      notRun: context.notRun,
      troubles: context.troubles,
      folder: context.folder,
    },
  };
}

/** Kinds by why they cannot be had here. */
function notRunLines(notRun: VerdictContext['notRun']): string[] {
  return [...groupBy(notRun, ({ reason }) => reason)].map(
    ([reason, kinds]) => `not run: ${reason}: ${kinds.map(({ kind }) => kind).join(', ')}`,
  );
}

/** All ticks first: what was excused is a part of what a user would have waited for. */
function tickLines(availability: Availability): string[] {
  const { ticks, startedInTime, excused, obliged, onTime, excuses } = availability;
  const lines = [
    `ticks: ${startedInTime} of ${ticks} started within 1 s (${percentOf(startedInTime, ticks)})`,
  ];
  if (excused > 0) {
    lines.push(
      `  ${excused} of them were excused, that is, could have been late or not have started:`,
    );
  }
  const why = Object.entries(excuses).sort(([, a], [, b]) => b - a);
  lines.push(...why.map(([text, number]) => `    ${String(number).padStart(5)} ${text}`));
  lines.push(`  ${obliged} had to start: ${onTime} did within 1 s (${percentOf(onTime, obliged)})`);
  return lines;
}

const percentOf = (part: number, all: number): string =>
  `${(Math.floor((all === 0 ? 1 : part / all) * 100_000) / 1_000).toFixed(3)} %`;

/** The ticks that were owed and came late. */
function lateLines({ latest }: Availability, startedMs: number): string[] {
  const late = latest.filter(({ lateMs }) => lateMs === null || lateMs > lateMsMax);
  return late.map(({ job, atMs, lateMs }) => {
    const how = lateMs === null ? 'never started' : `started ${Math.round(lateMs)} ms late`;
    return `  late: the tick of ${job} at ${((atMs - startedMs) / 1_000).toFixed(3)} s ${how}`;
  });
}

const lateMsMax = 1_000;

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)));
}

const listed = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
