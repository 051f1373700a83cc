import type { Mutation } from './mutation.ts';

const scenarios = 'test/fault/scenarios';

/** What the named scenarios have to show of arrows, changes, ticks and history: P5–P19. */
export const scenarioMutations: readonly Mutation[] = [
  {
    id: 'P10-second-commit',
    promise: 'P10',
    what: 'a COMMIT that a read-only member refused is sent once more',
    file: 'src/store/transaction/transact.ts',
    find: ' commit */ COMMIT`);',
    replace: ' commit */ COMMIT`).catch(() => connection.query(`/* again */ COMMIT`));',
    more: [
      {
        file: 'src/store/connection/classifyError.ts',
        find: "[1290, 'contact'],",
        replace: "[1290, 'full'],",
      },
    ],
    test: {
      file: `${scenarios}/serverRefusals.test.ts`,
      title: 'a COMMIT on a member that became read-only is unknown and is not repeated',
    },
    why: 'the second COMMIT answers OK with nothing written, so a run is lost as recorded',
  },
  {
    id: 'P11-deadlock-is-unknown',
    promise: 'P11',
    what: 'a deadlock is an unknown outcome instead of one to do again',
    file: 'src/store/connection/classifyError.ts',
    find: "[1213, 'retry'],",
    replace: "[1213, 'schema'],",
    test: { file: `${scenarios}/serverRefusals.test.ts`, title: 'a deadlock is rolled back' },
    why: 'operators are told that nobody knows, when the server has said it',
  },
  {
    id: 'P14-edit-withdraws-nothing',
    promise: 'P14',
    what: 'an edit leaves prepared launches of the old revision alone',
    file: 'src/store/jobs/changes/changeSlots.ts',
    find: '  await withdraw(connection, kind, decided);',
    replace: "  if (kind !== 'edit') await withdraw(connection, kind, decided);",
    more: [
      {
        file: 'src/store/jobs/changes/changeSlots.ts',
        find: 'if (affected !== 1) throw',
        replace: 'if (affected > 1) throw',
      },
    ],
    test: { file: `${scenarios}/jobChanges.test.ts`, title: 'a job takes its' },
    why: 'the old command runs after the edit was acknowledged',
  },
  {
    id: 'P15-add-asked-twice',
    promise: 'P15',
    what: 'an add of unknown outcome is repeated by itself',
    file: 'src/store/jobs/changes/addJob.ts',
    find: 'isIdempotent: false',
    replace: 'isIdempotent: true',
    test: {
      file: `${scenarios}/delayedChanges.test.ts`,
      title: 'an add that commits after it was given up',
    },
    why: 'the operator is told that somebody else has the name, which is their own job',
  },
  {
    id: 'P11-busy-stripes-reaped',
    promise: 'P11',
    what: 'the reaper is done with stripes that it did not get',
    file: 'src/store/lifecycle/reapSlots.ts',
    find: 'const stripes = request.stripes.filter((stripe) => held.has(stripe));',
    replace: 'const stripes = request.stripes.filter((stripe) => held.has(stripe) || stripe >= 0);',
    test: {
      file: `${scenarios}/unknownRenewals.test.ts`,
      title: 'a claim that commits after the end of its session is reaped',
    },
    why: 'a claim of a dead node commits after its reaper has passed, and holds its slot',
  },
  {
    id: 'P11-reset-asked-once',
    promise: 'P11',
    what: 'a reset of unknown outcome is not requested again',
    file: 'statecharts/compensator.ts',
    find: 'without(context.pending, event) }),',
    replace: 'context.pending }),',
    test: {
      file: 'test/actors/cutCommits.test.ts',
      title: '(d) a reset whose COMMIT is cut',
    },
    shown: 'deadline',
    why: 'a slot stays held by a launch that nobody carries on',
  },
  {
    id: 'P19-fold-twice',
    promise: 'P19',
    what: 'a fixed time is run in both passes of the autumn fold',
    file: 'src/domain/schedule/combinedInstants.ts',
    find: "isSecondPass && fold === 'first'",
    replace: "isSecondPass && fold === 'second'",
    test: { file: `${scenarios}/clocks.test.ts`, title: 'over the autumn fold' },
    why: 'the nightly job runs twice in one night of the year',
  },
  {
    id: 'P12-ticks-one-by-one',
    promise: 'P12',
    what: 'missed ticks are gone through one by one',
    file: 'src/domain/run/tickSource.ts',
    find: 'return Math.max(cursorMs, ticks.lastAtOrBefore(atMs) ?? cursorMs);',
    replace: `for (let lastMs = cursorMs; ; ) {
    const nextMs = ticks.next(lastMs);
    if (nextMs === null || nextMs > atMs) return lastMs;
    lastMs = nextMs;
  }`,
    test: { file: `${scenarios}/growth.test.ts`, title: '30 million missed ticks' },
    why: 'after a weekend without nodes the first claim takes minutes',
  },
  {
    id: 'P16-history-read-whole',
    promise: 'P16',
    what: 'a list of runs is sorted, and not read in the order of an index',
    file: 'src/store/runs/runPlaces.ts',
    find: 'ORDER BY ended_at DESC, run_id DESC LIMIT ?',
    replace: 'ORDER BY ended_at + INTERVAL 0 SECOND DESC, run_id DESC LIMIT ?',
    test: { file: `${scenarios}/growth.test.ts`, title: '30,000 run rows with gaps' },
    why: 'a page of ten reads and sorts the whole history',
  },
  {
    id: 'P12-held-stripe-hides',
    promise: 'P12',
    what: 'a look takes in stripes that the last claim found busy',
    file: 'src/actors/schedulerPlan.ts',
    find: '{ ...horizonOf(runtime, context), busyStripes }',
    replace: '{ ...horizonOf(runtime, context) }',
    test: { file: `${scenarios}/heldLocks.test.ts`, title: 'one stripe held, with more due' },
    shown: 'deadline',
    why: 'one stripe that is held hides what is due on all others',
  },
];
