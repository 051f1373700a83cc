import { waitingMax } from '../policies/passOverlapped.ts';
import { startBefore } from '../policies/startAt.ts';
import { reasons, requestedAlone } from '../reasons/reasons.ts';
import type { TickRange } from '../run/tickSource.ts';
import { counted } from '../text/counted.ts';
import { listed } from '../text/listed.ts';
import { formatDuration } from '../time/duration.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import { type Forecast, liveNames } from './forecastClaims.ts';
import type { PendingFacts, SlotFacts, WhyFacts } from './whyFacts.ts';

/** What becomes of the ticks that are due, and of what was requested besides. */
export function tickChecks(facts: WhyFacts, forecasts: readonly Forecast[]): Check[] {
  const ranges = forecasts.flatMap(({ claim }) => claim?.decision.ranges ?? []);
  return [
    requestsCheck(facts),
    misfireCheck(facts, forecasts, ranges),
    deadlineCheck(facts, forecasts, ranges),
    overlapCheck(facts, forecasts, ranges),
    claimCheck(facts),
  ];
}

/** What is there that ought to have started. */
export interface Due {
  readonly isTick: boolean;
  readonly isRequest: boolean;
}

/** Ticks of nodes that are away wait for those. */
export function whatIsDue(facts: WhyFacts): Due {
  const { nowMs, pending, slots } = facts;
  const live = new Set(['', ...liveNames(facts)]);
  const isTick = slots.some(({ cursorMs, nextRunMs, nodeName, state }) => {
    const dueMs = state === 'prepare' ? nextRunMs : state === 'idle' ? cursorMs : null;
    return dueMs !== null && dueMs <= nowMs && live.has(nodeName);
  });
  return { isTick, isRequest: pending.some(({ notBeforeMs }) => notBeforeMs <= nowMs) };
}

function requestsCheck(facts: WhyFacts): Check {
  const { job, nowMs, pending, slots } = facts;
  const [first] = [...pending].sort((a, b) => a.notBeforeMs - b.notBeforeMs);
  if (first === undefined) return passed('requests', 'No run of it is requested.');
  const lost = pending.find(
    ({ wantedNode }) => wantedNode !== null && !liveNames(facts).includes(wantedNode),
  );
  if (lost?.wantedNode) {
    const text = `A run is ${requestedAlone(lost.wantedNode)}.`;
    return failed('requests', text, { reason: reasons.nodeGone(lost.wantedNode) });
  }
  const more = job.pending > 1 ? ` and ${job.pending - 1} more` : '';
  const own = slots.filter(({ nodeName }) => nodeName === first.nodeName);
  const isBusy = own.length > 0 && own.every(({ state }) => state === 'executing');
  const waits = isBusy ? 'waits for the end of the run that is under way' : 'waits';
  const when = first.notBeforeMs > nowMs ? `may start at ${iso(first.notBeforeMs)}` : waits;
  return passed('requests', `${requestText(first)}${more} ${when}.`, { reason: reasons.waits });
}

function requestText({ attempt, scheduledForMs, trigger }: PendingFacts): string {
  const at = iso(scheduledForMs);
  if (trigger === 'retry') return `Attempt ${attempt} of the run of ${at}`;
  if (trigger === 'queue') return `The tick of ${at}, which waits its turn,`;
  if (trigger === 'backfill') return `The run of ${at}, by a backfill,`;
  return trigger === 'chain'
    ? `A start after another job, of ${at},`
    : `A run, requested at ${at},`;
}

function misfireCheck(
  facts: WhyFacts,
  forecasts: readonly Forecast[],
  ranges: readonly TickRange[],
): Check {
  const { job, place } = facts;
  const { misfire } = job.definition;
  const missed = ranges.filter(isMissed);
  const last = missed.at(-1);
  const policy = `misfire: ${misfire ?? 'once'}`;
  if (last === undefined) return passed('misfire', `No tick was missed (${policy}).`);
  const ticks = missed.reduce((sum, each) => sum + each.ticks, 0);
  const made = forecasts.flatMap(({ claim }) => {
    const launch = claim?.decision.launch;
    return launch?.trigger === 'misfire' ? [launch.scheduledForMs] : [];
  });
  const makeUp = made[0] === undefined ? '' : `, and runs the one of ${iso(made[0])}`;
  const first = Math.min(...missed.map(({ fromMs }) => fromMs));
  const all = `${counted(ticks, 'tick')} since ${iso(first)}`;
  // Nothing of it is in the history: this is what a claim would write now.
  const owing = nodesAwayText(facts, forecasts);
  const text = `The next claim records ${all} as missed${makeUp} (${policy}).${owing}`;
  const link = runsLink(job.name);
  // Of the nodes that were there some were not looked at: the reason may be another one.
  if (place.isCut) return unknown('misfire', text, { link });
  return failed('misfire', text, { reason: last.reason, link });
}

function isMissed({ reason, result }: TickRange): boolean {
  return result === 'missed' && reason !== reasons.tooLate;
}

/** Ticks of a job on every node that wait for a node which may never come back. */
function nodesAwayText(facts: WhyFacts, forecasts: readonly Forecast[]): string {
  const live = new Set(liveNames(facts));
  const away = forecasts.flatMap(({ claim, nodeName }) => {
    const isOwed = claim?.decision.ranges.some(isMissed) ?? false;
    return isOwed && nodeName !== '' && !live.has(nodeName) ? [nodeName] : [];
  });
  if (away.length === 0) return '';
  const nodes = listed([...new Set(away)]);
  return ` Not live: ${nodes}. Of one that is gone for good: statecron cluster forget NAME`;
}

function deadlineCheck(
  { job, nowMs, slots }: WhyFacts,
  forecasts: readonly Forecast[],
  ranges: readonly TickRange[],
): Check {
  const { definition } = job;
  const { startDeadlineMs } = definition;
  if (startDeadlineMs === undefined) {
    return passed('start-deadline', 'A late start is not refused (no start-deadline).');
  }
  const within = `within ${formatDuration(startDeadlineMs)} (start-deadline)`;
  const late = [
    ...ranges.filter(({ reason }) => reason === reasons.tooLate).map(({ untilMs }) => untilMs),
    ...forecasts.flatMap(({ claim }) => claim?.late.map((each) => each.scheduledForMs) ?? []),
    ...slots.flatMap((slot) => (isTooLate(slot, definition, nowMs) ? [slot.scheduledForMs] : [])),
  ];
  const [tickMs] = late;
  if (tickMs === undefined) return passed('start-deadline', `It has to start ${within}.`);
  return failed('start-deadline', `The run of ${iso(tickMs)} did not start ${within}.`, {
    ...{ reason: reasons.tooLate, link: runsLink(job.name) },
  });
}

function isTooLate(
  slot: SlotFacts,
  definition: Parameters<typeof startBefore>[0],
  nowMs: number,
): slot is SlotFacts & { readonly scheduledForMs: number } {
  const { nextRunMs, scheduledForMs, state, trigger } = slot;
  if (state !== 'prepare' || trigger === null || scheduledForMs === null) return false;
  const untilMs = startBefore(definition, { trigger, scheduledForMs }, nextRunMs ?? scheduledForMs);
  return untilMs !== null && nowMs > untilMs;
}

function overlapCheck(
  { job, nowMs, slots }: WhyFacts,
  forecasts: readonly Forecast[],
  ranges: readonly TickRange[],
): Check {
  const { overlap } = job.definition;
  const policy = `overlap: ${overlap ?? 'skip'}`;
  const running = slots.find(({ state }) => state === 'executing');
  const link = running?.launchId
    ? `/api/v1/runs/${encodeURIComponent(running.launchId)}`
    : runsLink(job.name);
  const passedOver = ranges.filter(({ result }) => result === 'skipped');
  const last = passedOver.findLast(({ reason }) => reason !== reasons.observed);
  const busy = forecasts.find(({ isBusy }) => isBusy);
  if (last !== undefined) {
    const ticks = passedOver.reduce((sum, each) => sum + each.ticks, 0);
    const text = `${counted(ticks, 'tick')} came while it ran, and will not run (${policy}).`;
    return failed('overlap', text, { reason: last.reason, link });
  }
  if (running === undefined || busy === undefined) {
    const executing = slots.filter(({ state }) => state === 'executing').length;
    const runs = executing === 0 ? 'No run' : counted(executing, 'run');
    const room = executing === 0 ? '' : `, of ${slots.length} at once`;
    return passed('overlap', `${runs} of it is under way${room} (${policy}).`);
  }
  const since = `A run is under way since ${iso(running.startedMs ?? nowMs)}`;
  const isDue = busy.cursorMs !== null && busy.cursorMs <= nowMs;
  if (isDue) {
    const text = `A tick waits for the end of the run that is under way (${policy}).`;
    return failed('overlap', text, { link });
  }
  const then =
    waitingMax(overlap) > 0 ? 'waits' : overlap === undefined ? 'is skipped' : 'takes its place';
  return unknown('overlap', `${since}: a tick that comes before its end ${then} (${policy}).`, {
    link,
  });
}

function claimCheck({ nowMs, slots }: WhyFacts): Check {
  const prepared = slots.filter(({ state }) => state === 'prepare');
  const [first] = prepared;
  if (first === undefined) return passed('claim', 'No node has claimed a run ahead.');
  const overdue = prepared.find(
    ({ nextRunMs }) => nextRunMs !== null && nextRunMs < nowMs - lateMs,
  );
  const { node, scheduledForMs } = overdue ?? first;
  const tick = `the run of ${iso(scheduledForMs ?? nowMs)}`;
  if (overdue === undefined) return passed('claim', `${node ?? 'A node'} has claimed ${tick}.`);
  const text = `${node ?? 'A node'} has claimed ${tick} and has not started it.`;
  return failed('claim', text, { link: '/api/v1/cluster' });
}

/** A start takes so long on a busy node. */
const lateMs = 2_000;

function runsLink(name: string): string {
  return `/api/v1/runs?job=${encodeURIComponent(name)}`;
}
