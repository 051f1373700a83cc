import {
  beginAfter,
  bootMs,
  childOf,
  type Draft,
  jobOf,
  lostRun,
  need,
  operationOf,
  reorder,
  runOf,
  sessionSteps,
  slotSteps,
  stepInto,
  stepsOf,
} from './draft.ts';
import type { Mutant } from './mutant.ts';

/** Arrows that are none, cursors gone wrong, hands that do not let go, answers that do not hold. */
export const stateMutants: readonly Mutant[] = [
  {
    rule: 'C7',
    fact: 'a slot that went from idle to executing',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 28_000);
      const claim = stepInto(draft, launchId, 'prepare');
      claim.after.state = 'executing';
    },
  },
  {
    rule: 'C7',
    fact: 'a slot that went back from executing to prepare',
    breakIt: (draft) => {
      stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'idle').after.state = 'prepare';
    },
  },
  {
    rule: 'C7',
    fact: 'a row that does not begin where the one before it ended',
    breakIt: (draft) => {
      const start = stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'executing');
      draft.audit.splice(draft.audit.indexOf(start), 1);
    },
  },
  {
    rule: 'C7',
    fact: 'a launch id that was used before',
    breakIt: (draft) => {
      const first = childOf(draft, 'every-second', 8_000).launchId;
      const later = slotSteps(draft, 'every-second').find(
        ({ after, before }) =>
          before.state === 'idle' &&
          after.state === 'prepare' &&
          after.sessionId === first.split(':', 1)[0] &&
          after.launchId !== first,
      );
      need(later).after.launchId = first;
    },
  },
  {
    rule: 'C7',
    fact: 'a start as another launch than was prepared',
    breakIt: (draft) => {
      const start = stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'executing');
      start.after.revision = 99;
    },
  },
  {
    rule: 'C7',
    fact: 'a claim by a session that never joined',
    breakIt: (draft) => {
      const claim = stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'prepare');
      Object.assign(claim.after, { sessionId: 'sx1', launchId: 'sx1:1' });
    },
  },
  {
    rule: 'C7',
    fact: 'a cursor that a claim moved back',
    breakIt: (draft) => moveCursor(draft, 'prepare', -20_000),
  },
  {
    rule: 'C7',
    fact: 'a cursor that stayed on the tick that was claimed',
    breakIt: (draft) => moveCursor(draft, 'prepare', -10_000),
  },
  {
    rule: 'C7',
    fact: 'a cursor that moved with a start',
    breakIt: (draft) => moveCursor(draft, 'executing', 10_000),
  },
  {
    rule: 'C7',
    fact: 'a finish that gave another tick back',
    breakIt: (draft) => moveCursor(draft, 'idle', -20_000),
  },
  {
    rule: 'C7',
    fact: 'an ended session that is live again',
    breakIt: (draft) => {
      const end = need(sessionSteps(draft).find(({ after }) => after === 'ended'));
      draft.audit.push({ ...end, before: 'ended', after: 'live', databaseMs: end.databaseMs + 9 });
      reorder(draft);
    },
  },
  {
    rule: 'C8',
    fact: 'a slot that a dead session still holds at the end',
    breakIt: (draft) => {
      const lost = lostRun(draft);
      const reap = stepInto(draft, lost.launchId ?? '', 'idle');
      cutFrom(draft, reap.slotId, reap.order);
    },
  },
  {
    rule: 'C8',
    fact: 'a slot that was freed a minute after its session had ended',
    breakIt: (draft) => {
      const lost = lostRun(draft);
      const { slotId, order } = stepInto(draft, lost.launchId ?? '', 'idle');
      draft.audit = draft.audit.filter((row) => row.table !== 'slot' || keeps(row, slotId, order));
      const reap = stepInto(draft, lost.launchId ?? '', 'idle');
      reap.databaseMs += 60_000;
      reorder(draft);
    },
  },
  {
    rule: 'C8',
    fact: 'a slot that is executing though its child ended long ago',
    breakIt: (draft) => {
      const finish = stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'idle');
      cutFrom(draft, finish.slotId, finish.order);
    },
  },
  {
    rule: 'C8',
    fact: 'a slot in the hands of a session that no row tells of',
    breakIt: (draft) => {
      const [slot] = draft.slots;
      Object.assign(need(slot), { state: 'prepare', launchId: 'sx1:1', sessionId: 'sx1' });
    },
  },
  ...(
    [
      ['paused', 'pause'],
      ['edited', 'edit'],
      ['removed', 'remove'],
    ] as const
  ).map(
    ([job, kind]): Mutant => ({
      rule: 'C9',
      fact: `a start of the old revision after the ${kind} was acknowledged`,
      breakIt: (draft) => {
        const operation = operationOf(draft, job, kind);
        operation.invokedMs -= 4_500;
        operation.answeredMs = need(operation.answeredMs) - 4_500;
      },
    }),
  ),
  {
    rule: 'C9',
    fact: 'a child that began after a pause that said that no run goes on',
    breakIt: (draft) => {
      const pause = operationOf(draft, 'paused', 'pause');
      pause.executing = 0;
      beginAfter(draft, need(pause.answeredMs));
    },
  },
  {
    rule: 'C9',
    fact: 'a pause that was acknowledged and is not there',
    breakIt: (draft) => {
      const { revision } = operationOf(draft, 'paused', 'pause');
      const made = jobOf(draft, 'paused').revisions.find((each) => each.revision === revision);
      need(made).paused = false;
    },
  },
  {
    rule: 'C9',
    fact: 'a job that was acknowledged and is not there',
    breakIt: (draft) => {
      const add = operationOf(draft, 'asked', 'add');
      draft.operations.push({ ...add, job: 'unheard-of' });
    },
  },
  {
    rule: 'C9',
    fact: 'a revision that nobody made',
    breakIt: (draft) => {
      const pause = operationOf(draft, 'paused', 'pause');
      draft.operations.splice(draft.operations.indexOf(pause), 1);
    },
  },
  {
    rule: 'C9',
    fact: 'a child that ran another revision than was prepared',
    breakIt: (draft) => {
      childOf(draft, 'edited', 20_000).revision = 1;
    },
  },
  {
    rule: 'C9',
    fact: 'a run that was acknowledged and never came',
    breakIt: (draft) => {
      const run = operationOf(draft, 'asked', 'run');
      draft.operations.push({ ...run, requestId: 'request-unheard' });
    },
  },
  {
    rule: 'C9',
    fact: 'one request that came to two runs',
    breakIt: (draft) => {
      const { launchId } = childOf(draft, 'asked', 28_000);
      runOf(draft, launchId).requestId = need(operationOf(draft, 'asked', 'run').requestId);
    },
  },
  {
    rule: 'C10',
    fact: 'a system that stood still from the first minute on',
    breakIt: (draft) => {
      const fromMs = draft.about.startedMs + 60_400;
      draft.audit = draft.audit.filter((row) => bootMs(draft, row.databaseMs) < fromMs);
      for (const { slotId } of draft.slots) settle(draft, slotId);
    },
  },
  {
    rule: 'C10',
    fact: 'one slot that nobody claimed any more',
    breakIt: (draft) => {
      const finish = stepInto(draft, childOf(draft, 'asked', 28_000).launchId, 'idle');
      cutFrom(draft, finish.slotId, finish.order + 1);
    },
  },
];

function keeps(
  row: { slotId: number; order: number },
  slotId: number,
  untilOrder: number,
): boolean {
  return row.slotId !== slotId || row.order <= untilOrder;
}

/** Moves what one step of a launch made of the cursor, and what the next one found. */
function moveCursor(draft: Draft, state: string, byMs: number): void {
  const { launchId } = childOf(draft, 'asked', 28_000);
  const step = stepInto(draft, launchId, state);
  step.after.cursorDatabaseMs = need(step.after.cursorDatabaseMs) + byMs;
  if (state !== 'prepare') return;
  for (const { before, after } of stepsOf(draft, launchId)) {
    if (before.state !== 'idle') before.cursorDatabaseMs = step.after.cursorDatabaseMs;
    after.cursorDatabaseMs = step.after.cursorDatabaseMs;
  }
}

/** Nothing happens to a slot from a row on. */
function cutFrom(draft: Draft, slotId: number, order: number): void {
  draft.audit = draft.audit.filter((row) => row.table !== 'slot' || keeps(row, slotId, order - 1));
  settle(draft, slotId);
}

/** The slot's row at the end is what the last step left. */
function settle(draft: Draft, slotId: number): void {
  const last = slotSteps(draft).findLast((row) => row.slotId === slotId);
  const slot = need(draft.slots.find((each) => each.slotId === slotId));
  const { revision: _, ...moment } = need(last).after;
  Object.assign(slot, moment, { triggeredBy: moment.state === 'idle' ? null : 'schedule' });
}
