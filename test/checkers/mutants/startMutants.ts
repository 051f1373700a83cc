import {
  bootMs,
  childOf,
  type Draft,
  databaseMs,
  draftOf,
  forget,
  need,
  operationOf,
  reorder,
  runOf,
  stepInto,
  stepsOf,
} from './draft.ts';
import type { Mutant } from './mutant.ts';

/** Starts that are missing, late, early, of nobody's asking, twice, or at once. */
export const startMutants: readonly Mutant[] = [
  {
    rule: 'C1',
    fact: 'a child that was never there',
    breakIt: (draft) => drop(draft, childOf(draft, 'asked', 28_000).launchId),
  },
  {
    rule: 'C1',
    fact: 'a tick that the system forgot altogether',
    breakIt: (draft) => forget(draft, childOf(draft, 'asked', 28_000).launchId),
  },
  {
    rule: 'C1',
    fact: 'two of many starts that nobody made',
    breakIt: (draft) => {
      drop(draft, childOf(draft, 'every-second', 8_000).launchId);
      drop(draft, childOf(draft, 'every-second', 11_000).launchId);
    },
  },
  {
    rule: 'C1',
    fact: 'a start seven seconds late, without a fault',
    breakIt: (draft) => shift(draft, childOf(draft, 'asked', 68_000).launchId, 7_000),
  },
  {
    rule: 'C1',
    fact: 'a child that began 2 ms early',
    breakIt: (draft) => {
      const child = childOf(draft, 'asked', 28_000);
      child.startedMs = bootMs(draft, child.scheduledForDatabaseMs) - 2;
    },
  },
  {
    rule: 'C1',
    fact: 'a row that was executing 1 ms early',
    breakIt: (draft) => {
      const { launchId, scheduledForDatabaseMs } = childOf(draft, 'asked', 28_000);
      stepInto(draft, launchId, 'executing').databaseMs = scheduledForDatabaseMs - 1;
      reorder(draft);
    },
  },
  {
    rule: 'C1',
    fact: 'a run that is called lost though its node lived',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 68_000);
      drop(draft, launchId);
      Object.assign(runOf(draft, launchId), { result: 'lost', exitCode: null });
    },
  },
  {
    rule: 'C1',
    fact: 'a tick that is called skipped though nothing was in its way',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 68_000);
      const run = { ...runOf(draft, launchId), result: 'skipped', exitCode: null };
      forget(draft, launchId);
      const untilMs = run.scheduledForDatabaseMs;
      const nobody = { launchId: null, sessionId: null, startedDatabaseMs: null };
      draft.runs.push({ ...run, ...nobody, scheduledUntilDatabaseMs: untilMs });
    },
  },
  {
    rule: 'C2',
    fact: 'a child of a launch that never was',
    breakIt: (draft) => {
      const child = childOf(draft, 'asked', 28_000);
      draft.processes.push({ ...child, launchId: 'sc1:999', startedMs: child.endedMs ?? 0 });
    },
  },
  {
    rule: 'C2',
    fact: 'a child that began 5 ms before its start was committed',
    breakIt: (draft) => {
      const child = childOf(draft, 'outlasts', 3_000);
      const step = stepInto(draft, child.launchId, 'executing');
      step.databaseMs = databaseMs(draft, child.startedMs + 5);
      reorder(draft);
    },
  },
  {
    rule: 'C2',
    fact: 'a child without any committed start',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 28_000);
      const start = stepInto(draft, launchId, 'executing');
      draft.audit.splice(draft.audit.indexOf(start), 1);
    },
  },
  {
    rule: 'C2',
    fact: 'a child that was told another tick than its slot held',
    breakIt: (draft) => {
      childOf(draft, 'outlasts', 3_000).scheduledForDatabaseMs -= 4_000;
    },
  },
  {
    rule: 'C2',
    fact: 'a manual run that nobody had asked for',
    breakIt: (draft) => {
      const asked = operationOf(draft, 'asked', 'run');
      draft.operations.splice(draft.operations.indexOf(asked), 1);
    },
  },
  {
    rule: 'C2',
    fact: 'a tick that no revision named',
    breakIt: (draft) => {
      const child = childOf(draft, 'asked', 28_000);
      child.scheduledForDatabaseMs -= 1_000;
      for (const { before, after } of stepsOf(draft, child.launchId)) {
        for (const moment of [before, after]) {
          const tickMs = moment.scheduledForDatabaseMs;
          if (tickMs !== null) moment.scheduledForDatabaseMs = tickMs - 1_000;
        }
      }
    },
  },
  {
    rule: 'C3',
    fact: 'two children of one launch',
    breakIt: (draft) => {
      const child = childOf(draft, 'every-second', 8_000);
      const startedMs = child.lastSeenMs + 1;
      draft.processes.push({ ...child, processId: 77, startedMs, lastSeenMs: startedMs + 1 });
    },
  },
  {
    rule: 'C3',
    fact: 'a tick that two launches started',
    breakIt: (draft) => repeat(draft, childOf(draft, 'asked', 28_000).launchId, 2_000),
  },
  {
    rule: 'C4',
    fact: 'a grandchild that lived 1 ms into the next run',
    breakIt: (draft) => {
      const first = childOf(draft, 'outlasts', 3_000);
      const second = need(
        draft.processes.find(
          ({ job, startedMs }) => job === first.job && startedMs > first.startedMs,
        ),
      );
      first.lastSeenMs = second.startedMs + 1;
    },
  },
  {
    rule: 'C4',
    fact: 'two runs that covered each other whole',
    breakIt: (draft) => repeat(draft, childOf(draft, 'asked', 28_000).launchId, 100),
  },
];

/** The child alone: the database tells of it all the same. */
function drop(draft: Draft, launchId: string): void {
  draft.processes = draft.processes.filter((process) => process.launchId !== launchId);
}

function shift(draft: Draft, launchId: string, byMs: number): void {
  for (const step of stepsOf(draft, launchId)) {
    if (step.after.state !== 'prepare') step.databaseMs += byMs;
  }
  for (const process of draft.processes.filter((each) => each.launchId === launchId)) {
    process.startedMs += byMs;
    process.lastSeenMs += byMs;
    if (process.endedMs !== null) process.endedMs += byMs;
  }
  runOf(draft, launchId).endedDatabaseMs += byMs;
  reorder(draft);
}

/** The whole life of a launch once more, under another id. */
function repeat(draft: Draft, launchId: string, afterMs: number): void {
  const copy = draftOf(draft);
  const sessionId = launchId.split(':', 1)[0];
  const id = `${sessionId}:999`;
  for (const step of stepsOf(copy, launchId)) {
    for (const moment of [step.before, step.after]) {
      if (moment.launchId !== null) moment.launchId = id;
    }
    draft.audit.push({ ...step, databaseMs: step.databaseMs + afterMs });
  }
  const child = need(copy.processes.find((each) => each.launchId === launchId));
  const startedMs = child.startedMs + afterMs;
  const lastSeenMs = child.lastSeenMs + afterMs;
  draft.processes.push({ ...child, launchId: id, startedMs, lastSeenMs, endedMs: lastSeenMs });
  const run = runOf(copy, launchId);
  draft.runs.push({ ...run, launchId: id, endedDatabaseMs: run.endedDatabaseMs + afterMs });
  reorder(draft);
}
