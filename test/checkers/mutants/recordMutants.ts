import {
  childOf,
  type Draft,
  databaseMs,
  lostRun,
  need,
  reorder,
  runOf,
  sessionSteps,
  slotSteps,
  stepInto,
  stepsOf,
} from './draft.ts';
import type { Mutant } from './mutant.ts';

/** What lived or wrote after its fence, and run rows that do not tell what happened. */
export const recordMutants: readonly Mutant[] = [
  {
    rule: 'C5',
    fact: 'a sign of life after the session was ended',
    breakIt: (draft) => {
      const lost = need(draft.processes.find((each) => each.launchId === lostRun(draft).launchId));
      lost.lastSeenMs = endOf(draft, lost.sessionId) + 60;
    },
  },
  {
    rule: 'C5',
    fact: 'a child that outlived the reset of its slot',
    breakIt: (draft) => {
      const child = childOf(draft, 'asked', 28_000);
      child.lastSeenMs += 100;
    },
  },
  {
    rule: 'C5',
    fact: 'a claim by a session that ended long ago',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 68_000);
      giveTo(draft, launchId, 'sa1', 'sa1:999');
    },
  },
  {
    rule: 'C5',
    fact: 'a claim on a slot that was taken from the session just before',
    breakIt: (draft) => {
      const lost = lostRun(draft);
      const reap = stepInto(draft, lost.launchId ?? '', 'idle');
      const next = need(
        slotSteps(draft).find(
          ({ order, slotId, after }) =>
            order > reap.order && slotId === reap.slotId && after.state === 'prepare',
        ),
      );
      giveTo(draft, next.after.launchId ?? '', lost.sessionId ?? '', `${lost.sessionId}:999`);
    },
  },
  {
    rule: 'C5',
    fact: 'a finish over the connection of an ended session',
    breakIt: (draft) => {
      const claim = need(slotSteps(draft).find(({ after }) => after.sessionId === 'sb1'));
      const { launchId } = childOf(draft, 'asked', 68_000);
      stepInto(draft, launchId, 'idle').connectionId = claim.connectionId;
      draft.faults = [];
    },
  },
  {
    rule: 'C6',
    fact: 'a launch whose run row is gone',
    breakIt: (draft) => {
      const run = runOf(draft, childOf(draft, 'asked', 28_000).launchId);
      draft.runs.splice(draft.runs.indexOf(run), 1);
    },
  },
  {
    rule: 'C6',
    fact: 'a launch with two run rows',
    breakIt: (draft) => {
      draft.runs.push({ ...runOf(draft, childOf(draft, 'asked', 28_000).launchId), runId: 9_999 });
    },
  },
  {
    rule: 'C6',
    fact: 'another exit code than the child had',
    breakIt: (draft) => {
      const run = need(draft.runs.find(({ result }) => result === 'failed'));
      run.exitCode = 4;
    },
  },
  {
    rule: 'C6',
    fact: 'a success of a child that failed',
    breakIt: (draft) => {
      const run = need(draft.runs.find(({ result }) => result === 'failed'));
      Object.assign(run, { result: 'succeeded', exitCode: 0 });
    },
  },
  {
    rule: 'C6',
    fact: 'a success of a child that never ended',
    breakIt: (draft) => {
      Object.assign(childOf(draft, 'asked', 28_000), { endedMs: null, exitCode: null });
    },
  },
  {
    rule: 'C6',
    fact: 'a success without any child',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'outlasts', 3_000);
      draft.processes = draft.processes.filter((process) => process.launchId !== launchId);
    },
  },
  {
    rule: 'C6',
    fact: 'a child of a launch that is told as not started',
    breakIt: (draft) => {
      const run = runOf(draft, childOf(draft, 'asked', 28_000).launchId);
      Object.assign(run, { result: 'not_started', exitCode: null });
    },
  },
  {
    rule: 'C6',
    fact: 'a run row of a launch that no slot held',
    breakIt: (draft) => {
      runOf(draft, childOf(draft, 'asked', 28_000).launchId).launchId = 'sc1:999';
    },
  },
  {
    rule: 'C6',
    fact: 'ticks that fell into a run and stand nowhere',
    breakIt: (draft) => {
      draft.runs = draft.runs.filter(({ result }) => result !== 'skipped');
    },
  },
  {
    rule: 'C6',
    fact: 'a missed range that is gone',
    breakIt: (draft) => {
      draft.runs.splice(draft.runs.indexOf(rangeOf(draft)), 1);
    },
  },
  {
    rule: 'C6',
    fact: 'a range that counts one tick too many',
    breakIt: (draft) => {
      rangeOf(draft).ticks += 1;
    },
  },
  {
    rule: 'C6',
    fact: 'a range that ends one tick too late, on the make-up',
    breakIt: (draft) => {
      const range = rangeOf(draft);
      range.scheduledUntilDatabaseMs = (range.scheduledUntilDatabaseMs ?? 0) + 1_000;
      range.ticks += 1;
    },
  },
  {
    rule: 'C6',
    fact: 'a tick in two final rows',
    breakIt: (draft) => {
      const run = runOf(draft, childOf(draft, 'every-second', 8_000).launchId);
      const nobody = { runId: 9_999, launchId: null, sessionId: null, startedDatabaseMs: null };
      draft.runs.push({ ...run, ...nobody, result: 'skipped', exitCode: null });
    },
  },
  {
    rule: 'C6',
    fact: 'a tick that is not final in any row',
    breakIt: (draft) => {
      runOf(draft, childOf(draft, 'asked', 28_000).launchId).isFinal = false;
    },
  },
  {
    rule: 'C6',
    fact: 'missed ticks that nothing made up for',
    breakIt: (draft) => {
      const range = rangeOf(draft);
      const makeUp = need(
        draft.runs.find(
          ({ triggeredBy, jobId }) => triggeredBy === 'misfire' && jobId === range.jobId,
        ),
      );
      const tickMs = makeUp.scheduledForDatabaseMs;
      Object.assign(makeUp, { ...range, runId: makeUp.runId, ticks: 1 });
      makeUp.scheduledForDatabaseMs = tickMs;
      makeUp.scheduledUntilDatabaseMs = tickMs;
    },
  },
];

function rangeOf(draft: Draft): Draft['runs'][number] {
  const jobId = draft.jobs.find(({ name }) => name === 'every-second')?.jobId;
  return need(draft.runs.find((run) => run.result === 'missed' && run.jobId === jobId));
}

function endOf(draft: Draft, sessionId: string): number {
  const step = sessionSteps(draft).find(
    (each) => each.sessionId === sessionId && each.after === 'ended',
  );
  const startMs = databaseMs(draft, 0);
  return need(step).databaseMs - startMs;
}

/** Makes a launch another session's, everywhere. */
function giveTo(draft: Draft, launchId: string, sessionId: string, id: string): void {
  for (const { before, after } of stepsOf(draft, launchId)) {
    for (const moment of [before, after]) {
      if (moment.launchId === launchId) Object.assign(moment, { launchId: id, sessionId });
    }
  }
  for (const told of [...draft.processes, ...draft.runs]) {
    if (told.launchId === launchId) Object.assign(told, { launchId: id, sessionId });
  }
  reorder(draft);
}
