import assert from 'node:assert/strict';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { anyPlacement } from '../../../src/domain/targeting/mayTake.ts';
import { placementOf } from '../../../src/domain/targeting/placementOf.ts';
import type { CheckName } from '../../../src/domain/why/check.ts';
import { explainJob, type WhyJob } from '../../../src/domain/why/explainJob.ts';
import { judgeNodes } from '../../../src/domain/why/judgeNodes.ts';
import type {
  JobFacts,
  LastRow,
  PendingFacts,
  PlaceFacts,
  SessionFacts,
  SlotFacts,
  WhyFacts,
} from '../../../src/domain/why/whyFacts.ts';

/** A whole minute. */
export const nowMs = Date.UTC(2030, 0, 1, 12, 0, 0);
export const minuteMs = 60_000;

/** What differs from a job of each minute that is idle, beside two nodes that live. */
export interface Differs {
  readonly definition?: Partial<JobDefinition>;
  readonly job?: Partial<JobFacts>;
  readonly slots?: readonly Partial<SlotFacts>[];
  readonly pending?: readonly Partial<PendingFacts>[];
  readonly sessions?: readonly Partial<SessionFacts>[];
  readonly place?: Partial<PlaceFacts>;
  readonly more?: Partial<WhyFacts>;
}

/** The facts of a job of each minute, whose last tick was a minute ago. */
export function factsOf(differs: Differs): WhyFacts {
  const definition: JobDefinition = {
    ...jobDefaults,
    ...{ name: 'tested', schedule: '* * * * *', command: 'true', timezone: 'UTC' },
    ...differs.definition,
  };
  const job: JobFacts = {
    ...{ jobId: 1, name: 'tested', revision: 1, definition, inForceFromMs: nowMs - 3_600_000 },
    ...{ removedMs: null, isPaused: false, resumeAtMs: null, reason: null },
    ...{ ticksRun: 0, failuresInRow: 0, pending: differs.pending?.length ?? 0, waiting: 0 },
    ...{ last: null, ...differs.job },
  };
  const { sessions = [{}, { nodeName: 'b' }] } = differs;
  const place: PlaceFacts = {
    ...{ targetId: 7, placement: placementOf(definition) ?? anyPlacement, isEveryNode: false },
    ...{ groups: new Map(), isCut: false, limit: null, held: new Map() },
    sessions: sessions.map(sessionOf),
    ...differs.place,
  };
  return {
    ...{ nowMs, job, place, upstreams: [], clockAheadMs: null, whyClosed: null },
    slots: (differs.slots ?? [{}]).map(slotOf),
    pending: (differs.pending ?? []).map(pendingOf),
    ...differs.more,
  };
}

export function whyOf(differs: Differs): WhyJob {
  const facts = factsOf(differs);
  const names = facts.slots.map(({ nodeName }) => nodeName);
  return explainJob(facts, judgeNodes(facts.place, names));
}

export function checkOf({ checks }: WhyJob, name: CheckName): WhyJob['checks'][number] {
  const found = checks.filter(({ check }) => check === name);
  assert.equal(found.length, 1, name);
  return found[0] as WhyJob['checks'][number];
}

export const lastRow: LastRow = {
  ...{ runId: 1, launchId: 's1:1', node: 'a', trigger: 'schedule', result: 'succeeded' },
  ...{ reason: null, scheduledForMs: nowMs - minuteMs, startedMs: nowMs - minuteMs },
  endedMs: nowMs - minuteMs + 1_000,
};

/** Of slots, and of the limit of a group. */
export const due = { cursorMs: nowMs, nextRunMs: nowMs };
const ofA = { node: 'a', sessionId: 'session of a', launchId: 's:1', trigger: 'schedule' } as const;
const tick = { scheduledForMs: nowMs - minuteMs, startedMs: nowMs - minuteMs };
export const executing = { ...ofA, ...tick, state: 'executing', nextRunMs: null } as const;
export const prepared = { ...ofA, ...tick, state: 'prepare', nextRunMs: nowMs - minuteMs } as const;
export const inGroup = { jobGroup: 'g', definitionFormat: 3, target: undefined };
export const fullLimit = { group: 'g', launchesMax: 2, held: new Map([[8, 2]]) };

function sessionOf(differs: Partial<SessionFacts>): SessionFacts {
  const nodeName = differs.nodeName ?? 'a';
  return {
    ...{ sessionId: `session of ${nodeName}`, nodeName, level: 1, labels: [], users: null },
    ...{ definitionFormat: 6, isDraining: false, fromMs: nowMs - 86_400_000, untilMs: nowMs },
    ...{
      state: 'live',
      endedWhy: null,
      ttlMs: 45_000,
      renewedAgoMs: 1_000,
      capacity: 10,
      concurrency: 5,
    },
    ...differs,
  };
}

function slotOf(differs: Partial<SlotFacts>): SlotFacts {
  return {
    ...{ nodeName: '', slotNo: 0, state: 'idle', cursorMs: nowMs + minuteMs },
    ...{ nextRunMs: nowMs + minuteMs, trigger: null, attempt: null, launchId: null },
    ...{ scheduledForMs: null, startedMs: null, lastStartedMs: null, endedMs: null },
    ...{ sessionId: null, node: null },
    ...differs,
  };
}

function pendingOf(differs: Partial<PendingFacts>): PendingFacts {
  return {
    ...{ nodeName: '', trigger: 'manual', attempt: 1, wantedNode: null },
    ...{ scheduledForMs: nowMs, notBeforeMs: nowMs },
    ...differs,
  };
}
