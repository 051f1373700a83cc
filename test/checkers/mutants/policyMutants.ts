import { reasons } from '../../../src/domain/reasons/reasons.ts';
import {
  childOf,
  childrenOf,
  type Draft,
  type DraftProcess,
  exitOn,
  forget,
  jobOf,
  need,
  reorder,
  runOf,
  stepInto,
  stepsOf,
  term,
} from './draft.ts';
import type { Mutant } from './mutant.ts';

/** Histories of jobs with policies that their policies do not allow. */
export const policyMutants: readonly Mutant[] = [
  {
    rule: 'C1',
    fact: 'a tick that is called skipped though one of two slots was free',
    breakIt: (draft) => {
      const free = need(
        childrenOf(draft, 'side-by-side').find((child, place, all) => {
          const others = all.filter((other) => other !== child && livesAt(other, child.startedMs));
          return place > 2 && others.length === 1;
        }),
      );
      skip(draft, free, reasons.stillGoing);
    },
  },
  {
    rule: 'C2',
    fact: 'an attempt that somebody is said to have asked for',
    breakIt: (draft) => {
      const second = attemptOf(draft, 2);
      Object.assign(runOf(draft, second.launchId), { requestId: 'nobody' });
    },
  },
  {
    rule: 'C3',
    fact: 'an attempt number that came twice',
    breakIt: (draft) => number(draft, attemptOf(draft, 2), 1),
  },
  {
    rule: 'C4',
    fact: 'two launches that lived at once in one of two slots',
    breakIt: (draft) => {
      const [first, second] = childrenOf(draft, 'side-by-side').filter(
        (child) => slotOf(draft, child) === slotOf(draft, childOf(draft, 'side-by-side', 0)),
      );
      need(first).lastSeenMs = need(second).startedMs + 1;
    },
  },
  {
    rule: 'C6',
    fact: 'a tick that stood in the queue and is nowhere',
    breakIt: (draft) => {
      const queued = need(draft.runs.find(({ triggeredBy }) => triggeredBy === 'queue'));
      forget(draft, queued.launchId ?? '');
    },
  },
  {
    rule: 'C6',
    fact: 'a tick that ran and waits in the queue as well',
    breakIt: (draft) => {
      const queued = need(draft.runs.find(({ triggeredBy }) => triggeredBy === 'queue'));
      const { jobId, scheduledForDatabaseMs } = queued;
      const same = { jobId, nodeName: '', triggeredBy: 'queue', attempt: 1, requestId: '' };
      draft.pending = [
        { ...same, scheduledForDatabaseMs, notBeforeDatabaseMs: scheduledForDatabaseMs },
      ];
    },
  },
  {
    rule: 'C6',
    fact: 'a tick that was to be tried again and is nowhere',
    breakIt: (draft) => {
      const { scheduledForDatabaseMs: tickMs } = attemptOf(draft, 2);
      for (const child of childrenOf(draft, 'retried')) {
        const isLater = child.scheduledForDatabaseMs === tickMs && child.attempt > 1;
        if (isLater) forget(draft, child.launchId);
      }
    },
  },
  {
    rule: 'C6',
    fact: 'a tick of which two attempts are the last',
    breakIt: (draft) => {
      runOf(draft, firstOf(draft, attemptOf(draft, 2)).launchId).isFinal = true;
    },
  },
  {
    rule: 'C6',
    fact: 'a tick that one of the nodes has nowhere',
    breakIt: (draft) => forget(draft, need(childrenOf(draft, 'everywhere')[7]).launchId),
  },
  {
    rule: 'C7',
    fact: 'a shared cursor that went back',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'side-by-side', 3_000);
      const { slotId } = stepInto(draft, launchId, 'executing');
      const moved = draft.audit.find((row) => {
        const isOwn = row.table === 'slot' && row.slotId === slotId;
        return isOwn && row.before.state === 'executing' && row.after.state === 'executing';
      });
      if (moved?.table !== 'slot') throw new Error('nothing moved the cursor');
      moved.after.cursorDatabaseMs = need(moved.before.cursorDatabaseMs) - 2_000;
    },
  },
  {
    rule: 'C9',
    fact: 'a job that paused itself long before its limit',
    breakIt: (draft) => term(draft, 'five-times', { runsMax: 50 }),
  },
  {
    rule: 'C11',
    fact: 'an attempt number that was left out',
    breakIt: (draft) => number(draft, attemptOf(draft, 2), 3),
  },
  {
    rule: 'C11',
    fact: 'the number of a rerun that was left out',
    breakIt: (draft) => {
      const again = need(childrenOf(draft, 'rerun').find((child) => child.attempt === 2));
      number(draft, again, 3);
    },
  },
  {
    rule: 'C11',
    fact: 'an attempt after the one that was the last',
    breakIt: (draft) => {
      runOf(draft, firstOf(draft, attemptOf(draft, 2)).launchId).isFinal = true;
    },
  },
  {
    rule: 'C11',
    fact: 'a failure that is the last though the job allows another attempt',
    breakIt: (draft) => {
      const second = attemptOf(draft, 2);
      runOf(draft, firstOf(draft, second).launchId).isFinal = true;
      const { scheduledForDatabaseMs: tickMs } = second;
      for (const child of childrenOf(draft, 'retried')) {
        const isLater = child.scheduledForDatabaseMs === tickMs && child.attempt > 1;
        if (isLater) forget(draft, child.launchId);
      }
    },
  },
  {
    rule: 'C11',
    fact: 'more attempts than the job allows',
    breakIt: (draft) => {
      const { retry } = definitionOf(draft, 'retried');
      term(draft, 'retried', { retry: { ...(retry as object), max: 1 } });
      runOf(draft, attemptOf(draft, 2).launchId).isFinal = false;
    },
  },
  {
    rule: 'C11',
    fact: 'an attempt of a job that has none',
    breakIt: (draft) => term(draft, 'retried', { retry: undefined }),
  },
  {
    rule: 'C11',
    fact: 'an attempt before its delay was over',
    breakIt: (draft) => {
      const { retry } = definitionOf(draft, 'retried');
      term(draft, 'retried', { retry: { ...(retry as object), delayMs: 4_000 } });
    },
  },
  {
    rule: 'C11',
    fact: 'a run that was lost and ran again though the job is to wait',
    breakIt: (draft) => term(draft, 'rerun', { nodeLoss: undefined }),
  },
  {
    rule: 'C12',
    fact: 'a skip that says no reason',
    breakIt: (draft) => {
      need(draft.runs.find(({ result }) => result === 'skipped')).reason = null;
    },
  },
  {
    rule: 'C12',
    fact: 'a tick of a job that queues, skipped since the last run went on',
    breakIt: (draft) => {
      skip(draft, need(childrenOf(draft, 'queued-all')[2]), reasons.stillGoing);
    },
  },
  {
    rule: 'C12',
    fact: 'a missed tick of a job that makes up for all',
    breakIt: (draft) => {
      const late = madeUp(draft, 'all-made-up');
      skip(draft, late, reasons.nobodyThere, 'missed');
    },
  },
  {
    rule: 'C12',
    fact: 'a make-up of a job that makes up for nothing',
    breakIt: (draft) => term(draft, 'all-made-up', { misfire: 'skip' }),
  },
  {
    rule: 'C12',
    fact: 'a make-up that is older than the job’s window',
    breakIt: (draft) => term(draft, 'all-made-up', { catchUpMs: 1 }),
  },
  {
    rule: 'C12',
    fact: 'a start after its deadline',
    breakIt: (draft) => {
      const child = need(childrenOf(draft, 'in-time')[4]);
      const start = stepInto(draft, child.launchId, 'executing');
      start.databaseMs = child.scheduledForDatabaseMs + 2_903;
      reorder(draft);
    },
  },
  {
    rule: 'C12',
    fact: 'a start before its splay was over',
    breakIt: (draft) => {
      for (const child of childrenOf(draft, 'splayed')) {
        const start = stepInto(draft, child.launchId, 'executing');
        start.databaseMs = child.scheduledForDatabaseMs;
      }
      reorder(draft);
    },
  },
  {
    rule: 'C12',
    fact: 'three launches at once where two may be',
    breakIt: (draft) => {
      const [first] = childrenOf(draft, 'side-by-side');
      need(first).lastSeenMs += 30_000;
    },
  },
  {
    rule: 'C12',
    fact: 'a start of the schedule after the last that may run',
    breakIt: (draft) => term(draft, 'five-times', { runsMax: 4 }),
  },
  {
    rule: 'C12',
    fact: 'a start of the schedule after the failures that are too many',
    breakIt: (draft) => term(draft, 'three-failures', { failuresMax: 2 }),
  },
  {
    rule: 'C12',
    fact: 'a job that failed on node after node and was not paused',
    breakIt: (draft) => {
      term(draft, 'everywhere', { failuresMax: 18 });
      for (const node of ['a', 'b', 'c']) exitOn(draft, 'everywhere', node, 1);
    },
  },
  {
    rule: 'C12',
    fact: 'a job that came to its limit and was not paused',
    breakIt: (draft) => {
      const { revisions } = jobOf(draft, 'five-times');
      revisions.splice(1);
      need(revisions[0]).inForceUntilDatabaseMs = null;
    },
  },
  {
    rule: 'C12',
    fact: 'a run on a node that its target leaves out',
    breakIt: (draft) => term(draft, 'on-b', { target: { excludeNodes: ['c'] } }),
  },
  {
    rule: 'C12',
    fact: 'a run in a slot of another node',
    breakIt: (draft) => {
      const { jobId } = jobOf(draft, 'everywhere');
      const turned: Record<string, string> = { a: 'b', b: 'c', c: 'a' };
      for (const row of [...draft.runs, ...draft.slots]) {
        if (row.jobId === jobId) row.nodeName = turned[row.nodeName ?? ''] ?? '';
      }
    },
  },
];

/** A tick of the job that is tried again whose attempt of that number ran. */
function attemptOf(draft: Draft, attempt: number): DraftProcess {
  return need(childrenOf(draft, 'retried').find((child) => child.attempt === attempt));
}

function firstOf(draft: Draft, child: DraftProcess): DraftProcess {
  const { scheduledForDatabaseMs: tickMs } = child;
  return need(
    childrenOf(draft, 'retried').find(
      ({ attempt, scheduledForDatabaseMs }) => attempt === 1 && scheduledForDatabaseMs === tickMs,
    ),
  );
}

function number(draft: Draft, child: DraftProcess, attempt: number): void {
  child.attempt = attempt;
  runOf(draft, child.launchId).attempt = attempt;
}

function livesAt({ startedMs, lastSeenMs }: DraftProcess, atMs: number): boolean {
  return startedMs <= atMs && lastSeenMs >= atMs;
}

function slotOf(draft: Draft, { launchId }: DraftProcess): number {
  return need(stepsOf(draft, launchId)[0]).slotId;
}

/** A launch of a tick that had been missed for longer than a node may be late. */
function madeUp(draft: Draft, job: string): DraftProcess {
  return need(
    childrenOf(draft, job).find(({ launchId }) => runOf(draft, launchId).triggeredBy === 'misfire'),
  );
}

/** Makes the launch a row of a tick that ended without one. */
function skip(draft: Draft, child: DraftProcess, reason: string, result = 'skipped'): void {
  const { launchId } = child;
  const run = { ...runOf(draft, launchId), result, reason, exitCode: null };
  forget(draft, launchId);
  const untilMs = run.scheduledForDatabaseMs;
  const nobody = { launchId: null, sessionId: null, startedDatabaseMs: null };
  draft.runs.push({
    ...run,
    ...nobody,
    triggeredBy: 'schedule',
    scheduledUntilDatabaseMs: untilMs,
  });
}

function definitionOf(draft: Draft, job: string): Record<string, unknown> {
  return need(jobOf(draft, job).revisions[0]).definition as Record<string, unknown>;
}
