import type { ServedStep } from '../store/memoryServer.ts';
import type { Counted } from '../store/stepCounts.ts';

/** One statement of the MySQL store that a step of the memory store stands for. */
export interface Statement {
  /** As the comment at its begin names it. */
  readonly kind: string;
  /** As the server's `Handler_read%` count them. */
  readonly rows: number;
  /** Entries of an index that the engine itself passed over, which those do not count. */
  readonly passed: number;
  readonly written: number;
  /** It is a transaction of its own. */
  readonly isAlone: boolean;
}

type CountOf = (what: Counted) => number;

/**
 * The statements of a step, in their order; `statements.test.ts` holds them against a MariaDB.
 * What is not here is what a fleet of plain jobs does not do: retries, limits, chains, targets,
 * notifications, edits.
 */
export function statementsOf({ name, counts, opens, begins }: ServedStep): Statement[] {
  const make = steps[name];
  if (make === undefined) throw new Error(`no statements are known of the step ${name}`);
  const own = make((what) => counts.of(what));
  const opening = opens ? [look('prepareSession'), look('prepareSession'), prepared] : [];
  return [...opening, ...(begins ? [look('begin')] : []), ...own];
}

function look(kind: string, rows = 0, passed = 0): Statement {
  return { kind, rows, passed, written: 0, isAlone: false };
}

function write(kind: string, rows: number, written: number): Statement {
  return { kind, rows, passed: 0, written, isAlone: false };
}

function alone(kind: string, rows: number, written: number): Statement {
  return { ...write(kind, rows, written), isAlone: true };
}

const prepared = look('prepareSession server', 3);

const steps: Readonly<Record<string, (of: CountOf) => Statement[]>> = {
  commit: () => [look('commit')],
  rollback: () => [look('rollback')],
  keepAlive: () => [look('keepAlive')],
  takeStripe: () => [look('takeStripe', 1), write('writeTaken', 1, 1)],
  joinSession: () => [
    ...[look('readMarker', 1), look('joinSession rival', 1)],
    ...[write('joinSession', 2, 1), look('joinSession own', 1), write('bumpVersion', 1, 1)],
  ],
  renewSession: () => [alone('renewSession', 1, 1)],
  endSession: () => [write('endSession', 1, 1), write('bumpVersion', 1, 1)],
  bumpVersion: () => [alone('bumpVersion', 1, 1)],
  markDraining: () => [alone('markDraining', 1, 1)],
  markReaped: () => [alone('markReaped', 3, 1)],
  listSessions: (of) => [look('listSessions', (of('isOnly') > 0 ? 3 : 4) + of('openSessions'))],
  'ensureNodeSlots look': (of) => [
    ...nodesAndTargeting(of),
    ...[look('ensureNodeSlots missing', 1), look('ensureNodeSlots obsolete', 2)],
  ],
  peekDue: peeks,
  listHeldSlots: (of) => [look('listHeldSlots', 1 + of('held'))],
  listOverdueSlots: (of) => [look('listOverdueSlots', 1 + of('overdue'))],
  listFollowed: () => [look('listFollowed', 1)],
  lookAtChains: () => [look('readChainEnds clock', 1)],
  resumeDueJobs: () => [look('resumeDueJobs', 1)],
  tidy: (of) => [
    ...(of('firstRound') > 0 ? [look('retargetUsers look', 2)] : []),
    ...[look('dropOrphans', 1), alone('cleanRequests', 2, 0), alone('cleanRecords audit', 1, 0)],
    ...[alone('cleanRecords keys', 1, 0), alone('cleanRecords logins', 1, 0)],
    alone('cleanRecords tokens', 1, 0),
  ],
  takeCleaning: () => [look('takeCleaning read', 1)],
  takeNotifications: () => [look('takeNotifications look', 1)],
  writeOutputs: (of) => [alone('writeOutputs', 0, of('outputs'))],
  'findLaunches held': (of) => [look('findLaunches held', of('launches'))],
  'findLaunches ended': (of) => [look('findLaunches ended', of('launches'))],
  recordLate: () => [look('recordLate read', 2), write('recordLate', 2, 1)],
  takeFreeStripes: takeFree,
  readSession: () => [look('readSession', 1)],
  waitForTick: () => [look('startSlots wait')],
  arrows: (of) => [
    ...[...starts(of), ...finishes(of), ...resets(of)],
    ...[...reaps(of), ...releases(of), ...claims(of)],
  ],
};

/** The nodes that live, and the groups, targets and limits when they are not known. */
function nodesAndTargeting(of: CountOf): Statement[] {
  return [look('readLiveNodes', 2 + of('liveSessions')), ...targeting(of)];
}

function targeting(of: CountOf): Statement[] {
  if (of('newTargeting') === 0) return [];
  const kinds = ['readTargeting groups', 'readTargeting targets', 'readTargeting limits'];
  return kinds.map((kind) => look(kind, 1));
}

const versions = look('readVersions', 3);

/** What may be taken, when the nodes are others than the known ones. */
function readAgain(of: CountOf): Statement[] {
  const openNodes = of('openNodes');
  return openNodes === 0 ? [] : [look('readOpenNodes', 1 + openNodes), ...targeting(of)];
}

/** A look finds out that the nodes are others, and looks again; the first reads them before it. */
function peeks(of: CountOf): Statement[] {
  const peek = look('peekDue', 3 + of('parts') + inOrder(of), passedBy(of));
  if (of('openNodes') === 0) return [peek];
  return of('isFirstLook') > 0
    ? [versions, ...readAgain(of), peek]
    : [peek, ...readAgain(of), peek];
}

/** Rows that are read in the order of an index, after the first of them. */
function inOrder(of: CountOf): number {
  return of('due') - (of('isDueFull') > 0 ? 1 : 0);
}

function passedBy(of: CountOf): number {
  return of('scanned') - of('due');
}

/** From so many on MariaDB reads all lock rows to write them. */
const scannedFrom = 14;
const lockRows = 65;

function takeFree(of: CountOf): Statement[] {
  const [asked, taken] = [of('stripes'), of('stripesTaken')];
  if (asked === 0) return [];
  const rows = taken < scannedFrom ? taken : lockRows + 1;
  return [
    look('takeFreeStripes', asked),
    ...(taken < asked ? [look('countLockRows', asked)] : []),
    ...(taken > 0 ? [write('writeTaken', rows, taken)] : []),
  ];
}

function starts(of: CountOf): Statement[] {
  const [asked, refused] = [of('starts'), of('startsRefused')];
  if (asked === 0) return [];
  return [
    write('startSlots', asked === 1 ? 1 : asked + 2, asked - refused),
    ...(refused > 0 ? [look('startSlots states', asked)] : []),
  ];
}

function finishes(of: CountOf): Statement[] {
  const [asked, done] = [of('finishes'), of('finished')];
  if (asked === 0) return [];
  const read = look('finishSlots read', asked + done);
  if (done === 0) return [read];
  const failures = of('failures');
  return [
    ...[read, write('finishSlots run', 0, done)],
    write('finishSlots', 3 * done, done),
    ...(failures > 0 ? [write('keepLastFailure', 2 * failures, failures)] : []),
  ];
}

function resets(of: CountOf): Statement[] {
  const asked = of('resets');
  return asked === 0 ? [] : [look('resetSlots read', asked + of('found'))];
}

function reaps(of: CountOf): Statement[] {
  if (of('reaps') === 0) return [];
  return [
    look('reapSlots session', 1),
    look('reapSlots read', of('reapedStripes') + 2 * of('reaped')),
  ];
}

/** What resets and reaps do with the slots that they find. */
function releases(of: CountOf): Statement[] {
  const [unfinished, released, putBack] = [of('unfinished'), of('released'), of('putBack')];
  const ended = [
    write('recordUnfinished', unfinished, unfinished),
    write('keepFailureOfSlots', 3 * unfinished, unfinished),
  ];
  const back = [
    look('putBackSlots parallel', 3 * putBack + 1),
    write('putBackSlots pending', putBack, 0),
    write('putBackSlots', 3 * putBack, putBack),
  ];
  return [
    ...(unfinished > 0 ? ended : []),
    ...(released > 0 ? [write('releaseSlots', 3 * released, released)] : []),
    ...(putBack > 0 ? back : []),
  ];
}

function claims(of: CountOf): Statement[] {
  const isAsked = of('claims') > 0 && of('looksForDue') > 0;
  if (!isAsked) return [];
  const [due, launched, cursors] = [of('due'), of('launched'), of('cursors')];
  const revisions = of('newRevisions');
  return [
    ...[versions, ...readAgain(of)],
    look('claimSlots due', of('parts') + due + inOrder(of), passedBy(of)),
    ...(revisions > 0 ? [look('readRevisions', revisions)] : []),
    ...(of('pendingPlaces') > 0 ? [look('claimSlots pending', of('pendingPlaces'))] : []),
    ...(of('missed') > 0 ? [look('explainMissed', 2 + of('liveSessions')), versions] : []),
    ...(of('ranges') > 0 ? [write('insertTickRanges', 0, of('ranges'))] : []),
    ...(launched > 0 ? [write('claimSlots', 4 * launched + 2, launched)] : []),
    ...(cursors > 0 ? [write('claimSlots cursor', 3 * cursors, cursors)] : []),
  ];
}
