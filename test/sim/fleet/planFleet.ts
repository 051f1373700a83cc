import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { stripeOfJob } from '../../../src/domain/run/stripes.ts';
import type { Operation } from '../../checkers/history.ts';
import { commandOf } from '../childProcesses.ts';
import { RandomSource } from '../randomSource.ts';
import type { PlannedJob, Scenario } from '../scenario.ts';
import { ticksOf } from '../store/claimRows.ts';
import type { MemoryServer } from '../store/memoryServer.ts';
import { holdingNothing } from '../store/releaseRows.ts';
import { revisionKey } from '../store/tables.ts';
import type { FleetOptions } from './readFleetOptions.ts';

/** Every job has a tick in so many seconds; all ticks are whole seconds, as those of cron are. */
const jobPeriodS = 20;
const epochMs = Date.UTC(2026, 0, 1);
/** How long a backlog has been due. */
export const overdueMs = 2_000;
/** So that not all nodes join in one moment. */
const joinMsPerNode = 10;
/** Of a lost node: its session ends with the TTL, and what it held is then done by others. */
const takeoverMs = 60_000;

/** When what happens in a fleet's world, milliseconds from its begin. */
export interface FleetTimes {
  readonly joinedMs: number;
  readonly idleFromMs: number;
  readonly idleUntilMs: number;
  readonly loadFromMs: number;
  readonly loadUntilMs: number;
  /** Nodes are lost when the load was measured; what is left of them is measured then. */
  readonly lossFromMs: number;
  readonly untilMs: number;
}

/**
 * Nodes join, rest, are measured at rest, get the jobs, and are measured when those run; if some
 * are lost then, once more when others have taken up what they did.
 */
export function planTimes({ nodes, seconds, lost }: FleetOptions): FleetTimes {
  const joinedMs = Math.max(500, joinMsPerNode * nodes);
  const idleFromMs = joinedMs + 10_000;
  const idleUntilMs = idleFromMs + seconds * 1_000;
  const loadFromMs = idleUntilMs + jobPeriodS * 1_000 + 10_000;
  const loadUntilMs = loadFromMs + seconds * 1_000;
  const lossFromMs = loadUntilMs + takeoverMs;
  const lossTimes =
    lost === 0
      ? { lossFromMs: loadUntilMs, untilMs: loadUntilMs }
      : { lossFromMs, untilMs: lossFromMs + seconds * 1_000 };
  return {
    joinedMs,
    idleFromMs,
    idleUntilMs,
    loadFromMs,
    loadUntilMs,
    ...lossTimes,
  };
}

/** The fleet's world: nodes as they are by default, no faults. */
export function planFleet(options: FleetOptions): Scenario {
  const { backlog, nodes, seed, lastsMs, constants } = options;
  const way = constants.roundTripMs / 2;
  const schedules =
    backlog > 0 ? Array<string>(backlog).fill(onceInBacklog(options)) : periodic(options);
  return {
    seed,
    epochMs,
    nodes: Array.from({ length: nodes }, (_, place) => `node-${place + 1}`),
    ttlMs: 45_000,
    concurrency: options.concurrency,
    capacity: 2_000,
    horizonMs: 30_000,
    drainTimeoutMs: 30_000,
    latencyMs: [way, way],
    activeMs: planTimes(options).untilMs,
    jobs: schedules.map((schedule, place): PlannedJob => {
      return {
        name: `job-${place + 1}`,
        schedule,
        timezone: 'UTC',
        lastsMs: [lastsMs, lastsMs],
        timeoutMs: null,
      };
    }),
    faults: [],
    operations: [],
    mutation: null,
  };
}

/** A tick that is over when the jobs are put, and none after it. */
function onceInBacklog(options: FleetOptions): string {
  const tick = new Date(epochMs + planTimes(options).idleUntilMs - overdueMs);
  return `${tick.getUTCSeconds()} ${tick.getUTCMinutes()} ${tick.getUTCHours()} 1 1 *`;
}

function periodic({ runs, seed }: FleetOptions): string[] {
  const offsets = dealOffsets(runs, new RandomSource(`fleet ${seed}`));
  return offsets.map((offset) => `${offset}/${jobPeriodS} * * * * *`);
}

/** As many jobs for each second, in no order: the stripe of a job says nothing of its ticks. */
function dealOffsets(runs: number, random: RandomSource): number[] {
  const offsets = Array.from({ length: runs * jobPeriodS }, (_, place) => place % jobPeriodS);
  for (let last = offsets.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last);
    const [one = 0, two = 0] = [offsets[last], offsets[other]];
    offsets[last] = two;
    offsets[other] = one;
  }
  return offsets;
}

/** Puts all jobs into the tables at once, as they are after an import; returns what was done. */
export function putJobs(
  server: MemoryServer,
  { nowMs, bootMs }: { readonly nowMs: number; readonly bootMs: number },
  jobs: readonly PlannedJob[],
): Operation[] {
  const { tables } = server;
  const inForceFromMs = nowMs;
  return jobs.map(({ name, schedule, timezone }) => {
    const definition: JobDefinition = withLowestFormat({
      ...{ ...jobDefaults, name, schedule, timezone },
      command: commandOf('edit-0'),
    });
    const jobId = server.nextId('job');
    const revision = { jobId, revision: 1, definition, isPaused: false, inForceFromMs };
    const row = { ...revision, inForceUntilMs: null };
    const job = { jobId, name, isRemoved: false, revision: 1, isPaused: false };
    tables.jobs.set(jobId, { ...job, isEveryNode: false, targetId: 0 });
    tables.revisions.set(revisionKey(jobId, 1), row);
    const cursorMs = ticksOf(row).next(inForceFromMs - 1);
    const slotId = server.nextId('slot');
    tables.slots.set(slotId, {
      ...{ slotId, jobId, nodeName: '', slotNo: 0, stripe: stripeOfJob(jobId), targetId: 0 },
      ...{ state: 'idle', nextRunMs: cursorMs, cursorMs, endedMs: null, ...holdingNothing },
    });
    return {
      ...{ kind: 'add', job: name, invokedMs: bootMs, answeredMs: bootMs, outcome: 'ok' },
      ...{ revision: 1, requestId: null, detail: 'add' },
    } as const;
  });
}
