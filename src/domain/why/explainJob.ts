import { showUpstream } from '../job/fieldTable/upstream.ts';
import { startAt } from '../policies/startAt.ts';
import { jobState, jobStates } from '../run/jobState.ts';
import { firstTicks } from '../run/tickSource.ts';
import { isSilent } from '../targeting/nodeFacts.ts';
import { counted } from '../text/counted.ts';
import { chainCheck } from './chainCheck.ts';
import { type Check, type CheckName, checkNames, iso } from './check.ts';
import { type Forecast, forecastClaims } from './forecastClaims.ts';
import { jobChecks } from './jobChecks.ts';
import { type JudgedNode, roomOf } from './judgeNodes.ts';
import { placeChecks } from './placeChecks.ts';
import { type ReadSchedule, readSchedule, scheduleChecks } from './scheduleChecks.ts';
import { type Due, tickChecks, whatIsDue } from './tickChecks.ts';
import type { JobFacts, SlotFacts, WhyFacts } from './whyFacts.ts';

/** Those of a list of jobs, and one of a job that none has any more. */
export const answerStates = [...jobStates, 'removed'] as const;

/** Why a job has not run, and when it will. */
export interface WhyJob {
  readonly job: JobFacts;
  readonly nowMs: number;
  readonly state: (typeof answerStates)[number];
  /** One sentence, two where its runs fail; instants in it are in UTC. */
  readonly text: string;
  /** The check that the answer is from; null: nothing keeps it. */
  readonly because: CheckName | null;
  /** One for each name, in the order of the names. */
  readonly checks: readonly Check[];
  /** With what keeps each from the next launch, its room included. */
  readonly nodes: readonly JudgedNode[];
  /**
   * The next ticks, and when their runs ought to start; of an observed job nothing starts. Of a
   * pause that ends by itself, those after its end.
   */
  readonly next: readonly { readonly tickMs: number; readonly startMs: number }[];
}

/**
 * Looks at everything that may keep a job from running, by the functions that decide it: what a
 * claim would do now, which nodes may take it, where its schedule goes on.
 * @param nodes as `judgeNodes` has them
 */
export function explainJob(facts: WhyFacts, nodes: readonly JudgedNode[]): WhyJob {
  const schedule = readSchedule(facts.job);
  const forecasts = forecastClaims(facts, schedule.ticks);
  const due = whatIsDue(facts);
  const isDue = due.isTick || due.isRequest;
  const found = [
    ...jobChecks(facts),
    ...scheduleChecks(facts, schedule, forecasts),
    chainCheck(facts, schedule.ticks),
    ...tickChecks(facts, forecasts),
    ...placeChecks(facts, nodes, isDue),
  ];
  const checks = found.sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
  const next = nextTicks(facts, schedule, forecasts);
  const withRoom = nodes.map((node) => {
    const held = facts.place.held.get(node.session?.sessionId ?? '');
    return { ...node, keptBy: [...node.keptBy, ...roomOf(node, held)] };
  });
  const { definition, isPaused } = facts.job;
  const first = isPaused || definition.observed === true ? undefined : next[0];
  const answer = answerOf(facts, checks, { due, first, isSilent: areSilent(nodes) });
  const state = stateOf(facts, due, nodes);
  return { job: facts.job, nowMs: facts.nowMs, state, ...answer, checks, nodes: withRoom, next };
}

/** Whether none of the nodes that may run it has renewed its session lately. */
function areSilent(nodes: readonly JudgedNode[]): boolean {
  const takers = nodes.filter(({ keptBy }) => keptBy.length === 0);
  return takers.length > 0 && takers.every(({ session }) => session && isSilent(session));
}

function stateOf(
  { job, place, slots }: WhyFacts,
  due: Due,
  nodes: readonly JudgedNode[],
): WhyJob['state'] {
  const state = jobState({
    executing: slots.filter((slot) => slot.state === 'executing').length,
    due: due.isTick || due.isRequest ? 1 : 0,
    isPaused: job.isPaused,
    isObserved: job.definition.observed === true,
    isRunnable: place.isCut || nodes.some(({ keptBy }) => keptBy.length === 0),
  });
  return job.removedMs !== null && state !== 'running' ? 'removed' : state;
}

const ticksShown = 3;

function nextTicks(
  { job, nowMs, slots }: WhyFacts,
  { ticks }: ReadSchedule,
  forecasts: readonly Forecast[],
): WhyJob['next'] {
  const { definition, isPaused, removedMs, resumeAtMs } = job;
  if (removedMs !== null || (isPaused && resumeAtMs === null)) return [];
  // One whose tick is past may wait for its splay.
  const launched = slots.flatMap(({ nextRunMs, scheduledForMs, trigger }) => {
    const isTick = trigger === 'schedule' && scheduledForMs !== null;
    return isTick && (nextRunMs ?? scheduledForMs) > nowMs ? [scheduledForMs] : [];
  });
  // The schedule counts anew from the end of a pause.
  const resumed = isPaused ? { ...job, inForceFromMs: Math.max(nowMs, resumeAtMs ?? 0) } : null;
  const found = forecasts.flatMap(({ cursorMs }) => {
    if (resumed !== null) {
      return firstTicks(readSchedule(resumed).ticks, resumed.inForceFromMs, ticksShown);
    }
    if (cursorMs === null) return [];
    return firstTicks(ticks, Math.max(nowMs, cursorMs - 1), ticksShown);
  });
  const sorted = [...new Set([...launched, ...found])].sort((a, b) => a - b).slice(0, ticksShown);
  return sorted.map((tickMs) => {
    if (definition.observed === true) return { tickMs, startMs: tickMs };
    const launch = { trigger: 'schedule', scheduledForMs: tickMs, notBeforeMs: null } as const;
    return { tickMs, startMs: startAt(definition, launch) };
  });
}

/** Checks that keep everything of the job from running, whatever is due. */
const keepAll: readonly CheckName[] = [
  ...(['exists', 'paused', 'observed', 'cluster', 'nodes', 'database'] as const),
];
/** Those of them that a run that somebody requested does not mind. */
const keepTicks: readonly CheckName[] = ['paused', 'observed'];
/** Checks that keep what is due. */
const keepDue: readonly CheckName[] = ['group-limit', 'capacity', 'claim', 'start-deadline'];
/** Checks that say why nothing comes any more. */
const endAll: readonly CheckName[] = ['window', 'exclusions', 'schedule', 'chain'];

type Answered = Pick<WhyJob, 'because' | 'text'>;

interface Coming {
  readonly due: Due;
  /** The next tick that starts something. */
  readonly first: WhyJob['next'][number] | undefined;
  readonly isSilent: boolean;
}

function answerOf(
  { nowMs, pending, slots, upstreams }: WhyFacts,
  checks: readonly Check[],
  { due, first, isSilent }: Coming,
): Answered {
  const firstFailed = (names: readonly CheckName[]): Check | undefined =>
    checks.find(({ check, state }) => state === 'failed' && names.includes(check));
  const running = slots.filter(({ state }) => state === 'executing');
  const isFree = slots.some(({ state }) => state === 'idle');
  const lost = isFree ? undefined : firstFailed(['lease']);
  if (lost !== undefined) return keptBy(lost);
  const isClaimed = slots.some(({ state }) => state === 'prepare');
  const request = checks.find(({ check }) => check === 'requests');
  if (running.length > 0) {
    const text = runningText(running);
    const waits =
      firstFailed(['overlap']) ??
      (isFree || isClaimed ? firstFailed(keepDue) : undefined) ??
      (due.isRequest ? request : undefined);
    return waits === undefined
      ? { text, because: null }
      : { text: `${text} ${waits.text}`, because: waits.check };
  }
  const isRequested = due.isRequest || isClaimed;
  const blocked = firstFailed(keepAll.filter((each) => !isRequested || !keepTicks.includes(each)));
  if (blocked !== undefined) return keptBy(blocked);
  const isDue = due.isTick || due.isRequest;
  const isHeldUp = isDue || isClaimed;
  const kept = isHeldUp ? firstFailed(keepDue) : undefined;
  if (kept !== undefined) return keptBy(kept);
  const lostRequest = due.isTick ? undefined : firstFailed(['requests']);
  if (lostRequest !== undefined && (due.isRequest || first === undefined))
    return keptBy(lostRequest);
  const refused = firstFailed(['user']);
  const silence = isSilent ? checks.find(({ check }) => check === 'lease') : undefined;
  if (isDue && silence !== undefined)
    return keptBy({ ...silence, text: `It is due. ${silence.text}` });
  if (isDue) return refusedFirst(refused, { text: dueText, because: null });
  const requestMs = Math.min(...pending.map(({ notBeforeMs }) => notBeforeMs));
  if (request !== undefined && requestMs < (first?.startMs ?? Number.POSITIVE_INFINITY))
    return refusedFirst(refused, keptBy(request));
  if (first !== undefined) {
    const why = firstFailed(['skipped', 'exclusions', 'overlap', 'misfire', 'window']);
    const at = iso(first.startMs);
    const isSplayed = first.tickMs <= nowMs;
    const splayed = `The tick of ${iso(first.tickMs)} starts at ${at}, its splay later.`;
    const text = isSplayed ? splayed : `It runs next at ${at}.`;
    return refusedFirst(refused, { text, because: why?.check ?? null });
  }
  const ended = firstFailed(endAll);
  if (ended !== undefined) return keptBy(ended);
  return { text: waitingText(upstreams), because: null };
}

/** Of what has no schedule. */
function waitingText(upstreams: WhyFacts['upstreams']): string {
  const shown = upstreams.filter(({ isShown }) => isShown);
  if (shown.length === 0) return 'It waits to be requested.';
  return `It starts after ${shown.map(showUpstream).join('; ')}.`;
}

function runningText(running: readonly SlotFacts[]): string {
  const [{ node, startedMs } = { node: null, startedMs: null }] = running;
  const since = startedMs === null ? '' : ` since ${iso(startedMs)}`;
  return running.length === 1
    ? `It runs now, on ${node ?? 'a node'}${since}.`
    : `${counted(running.length, 'run')} of it are under way.`;
}

function keptBy({ check, text }: Check): Answered {
  return { text, because: check };
}

/** A run comes, and fails as the last one did unless its node has been started otherwise. */
function refusedFirst(refused: Check | undefined, answer: Answered): Answered {
  if (refused === undefined) return answer;
  const then = answer.text.replace(/\.$/, '; it fails until that is changed.');
  return { ...answer, text: `${refused.text} ${then}`, because: refused.check };
}

const dueText = 'It is due, and nothing is known that keeps it: a node takes it within seconds.';
