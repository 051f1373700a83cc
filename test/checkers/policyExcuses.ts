import type { JobPolicies } from '../../src/domain/job/jobPolicies.ts';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { couldRun } from './couldRun.ts';
import type { Evidence } from './evidence.ts';
import type { Allowance, Excuse } from './excuse.ts';
import type { CursorEvidence } from './jobEvidence.ts';
import { latenessMs, type Span, touches } from './outages.ts';
import type { TickEntry } from './tickLedger.ts';

/** Why the job's own policies let a tick start late, or not at all; null: they do not. */
export function excuseOfPolicies(
  evidence: Evidence,
  job: CursorEvidence,
  { run }: TickEntry,
  { terms, span, allowance }: { terms: JobPolicies; span: Span; allowance: Allowance },
): Excuse | null {
  const { result, reason } = run ?? {};
  const isSkipAsked = job.operations.some(
    ({ kind, outcome }) => kind === 'skip-next' && outcome !== 'fail',
  );
  if (result === 'skipped' && isSkipAsked) {
    return { why: 'an operator had it skipped', untilMs: null };
  }
  if (isEndedByChange(job, terms, run)) {
    return { why: 'the job was changed while it waited', untilMs: null };
  }
  // It was stopped for the next tick before its child was spawned.
  const isReplaced = terms.overlap === 'replace' || terms.overlap === 'terminate';
  if (result === 'stopped' && isReplaced) return { why: 'the next tick stopped it', untilMs: null };
  // A deadline that is shorter than what a busy machine is forgiven.
  const { startDeadlineMs = Number.POSITIVE_INFINITY } = terms;
  if (reason === reasons.tooLate && startDeadlineMs < allowance.lateMs) {
    return { why: 'its start deadline was over', untilMs: null };
  }
  return excuseOfPlaces(evidence, job, terms, span, allowance);
}

/** A change may come into force only after ticks that were claimed ahead, and end them. */
function isEndedByChange(
  { operations }: CursorEvidence,
  { runsMax, failuresMax }: JobPolicies,
  run: TickEntry['run'],
): boolean {
  // A start of which nobody knows is put back, unless an edit has made its revision an old one.
  if (run?.result === 'not_started' && run.isFinal) {
    return operations.some(({ kind, outcome }) => kind === 'edit' && outcome !== 'fail');
  }
  if (run?.result !== 'skipped') return false;
  const { paused, removed, edited } = reasons;
  const kinds = { [paused]: 'pause', [removed]: 'remove', [edited]: 'edit' } as const;
  const kind = kinds[run.reason as keyof typeof kinds];
  if (kind === undefined) return false;
  if (kind === 'pause' && (runsMax !== undefined || failuresMax !== undefined)) return true;
  return operations.some((operation) => operation.kind === kind && operation.outcome !== 'fail');
}

/** What only some nodes may run waits for them, and for a higher level to be seen as dead. */
function excuseOfPlaces(
  { outages, history }: Evidence,
  { nodeName }: CursorEvidence,
  { target }: JobPolicies,
  span: Span,
  allowance: Allowance,
): Excuse | null {
  if (target === undefined && nodeName === '') return null;
  const all = nodeName === '' ? history.about.nodes : [nodeName];
  const may = all.filter((node) => couldRun(target, node) !== false);
  if (may.length === 0) return { why: 'no node may run it', untilMs: null };
  const isSure = may.every((node) => couldRun(target, node) === true);
  const stops = may.map((node) =>
    outages.stopsOf(node).filter((stop) => touches(stop, span, allowance.recoveryMs(stop))),
  );
  const stopped = stops.filter((each) => each.length > 0);
  if (stopped.length === 0) return null;
  if (stopped.length === may.length || !isSure) {
    return { why: 'every node that may run it was stopped', untilMs: null };
  }
  const untilMs = Math.max(...stopped.flat().map((stop) => stop.untilMs));
  const freeMs = outages.movedMs(untilMs + outages.boundMs, untilMs) + latenessMs;
  return { why: 'a node that may run it was stopped', untilMs: freeMs };
}
