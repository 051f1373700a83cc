import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../../..');
const here = 'test/fault/scenarios';

/** A test by its file and a piece of its title as it stands there. */
type Place = readonly [file: string, title: string];

/** Faults, and where it is shown what comes of them. A row that rots fails here. */
const shown: Record<string, readonly Place[]> = {
  '1 the reply to a COMMIT is lost': [
    [`${here}/unknownArrows.test.ts`, 'is unknown until its lock tells'],
    [`${here}/unknownRenewals.test.ts`, 'is unknown and the next one is good'],
    [`${here}/jobChanges.test.ts`, 'after the arrow, its reply lost'],
    ['test/actors/cutCommits.test.ts', '(b) a start whose COMMIT is cut'],
    ['test/store/jobs/jobsUnknown.test.ts', 'a pause whose COMMIT is cut'],
  ],
  '2 the request of a COMMIT is lost': [
    [`${here}/unknownArrows.test.ts`, 'is unknown until its lock tells'],
    ['test/actors/cutCommits.test.ts', '(c) a finish whose COMMIT is cut'],
    ['test/store/jobs/jobsUnknown.test.ts', 'an edit whose COMMIT is cut'],
  ],
  '3 a COMMIT is delayed past the death of its client': [
    [`${here}/delayedCommits.test.ts`, '(a) a claim that commits late'],
    [`${here}/delayedCommits.test.ts`, '(b) a start that commits late'],
    [`${here}/delayedCommits.test.ts`, '(c) a finish that commits late'],
    [`${here}/delayedCommits.test.ts`, '(d) a reset that commits late'],
    [`${here}/delayedCommits.test.ts`, '(e) a reap whose COMMIT meets'],
    [`${here}/delayedChanges.test.ts`, 'that commits after it was given up is done once'],
    [`${here}/unknownRenewals.test.ts`, 'a claim that commits after the end of its session'],
  ],
  '4 the database is killed and comes back': [
    [`${here}/databaseDeaths.test.ts`, 'killed for 5 s under 20 runs a second'],
    [`${here}/databaseDeaths.test.ts`, 'gone for longer than the lease'],
    ['test/node/outages.test.ts', 'for longer than the lease loses no result'],
  ],
  '5 a connection is half open': [
    [`${here}/halfOpen.test.ts`, 'a holder of locks that falls silent'],
    [
      'test/store/transaction/transact.test.ts',
      'a statement that takes too long destroys its connection',
    ],
  ],
  '6 the server is frozen': [
    [`${here}/databaseDeaths.test.ts`, 'frozen for 20 s within the lease'],
    [`${here}/unknownRenewals.test.ts`, 'a renewal that arrives after the end of its session'],
  ],
  '7 lock wait time-outs and deadlocks': [
    ['test/store/transaction/transact.test.ts', 'a lock wait that times out is rolled back'],
    [`${here}/serverRefusals.test.ts`, 'a deadlock is rolled back and the whole transaction'],
    [
      'test/store/transaction/oneTransaction.test.ts',
      'a transaction that is rolled back at its COMMIT',
    ],
  ],
  '8 a member is read-only': [
    [`${here}/serverRefusals.test.ts`, 'a COMMIT on a member that became read-only'],
    [`${here}/serverRefusals.test.ts`, 'a node whose server stays read-only is fenced'],
  ],
  '9 the server has no connection left': [
    [`${here}/serverRefusals.test.ts`, 'a node needs no new connection while a server'],
  ],
  '10 the database cannot take results': [
    ['test/actors/lateResults.test.ts', 'a finish that waits for its stripe is spooled'],
    ['test/actors/resultKeeper.test.ts', 'outputs that wait are bounded together'],
  ],
  '11 the disk of a node is full': [
    ['test/exec/result/spoolFolder.test.ts', 'a full disk rejects the write'],
    ['test/node/outages.test.ts', 'a spool that cannot be written cost a warning'],
  ],
  '12 a node is killed': [
    ['test/node/deaths.test.ts', 'kill -9 of a node leaves none of its 50 children'],
    ['test/node/deaths.test.ts', 'kill -9 of a guardian ends node and children'],
  ],
  '13 a node is frozen for longer than its TTL': [
    [`${here}/frozenNodes.test.ts`, 'for 3 TTL with 20 children'],
    [`${here}/frozenNodes.test.ts`, 'like a paused machine'],
    ['test/node/fences.test.ts', 'a frozen node is killed with its children after its lease'],
  ],
  '14 an event loop hangs, a worker dies': [
    [
      'test/exec/guardian/guardian.test.ts',
      'a node whose event loop hangs past its deadline is killed',
    ],
    ['test/exec/pool/poolFatal.test.ts', 'a launcher that dies is fatal, once'],
    [`${here}/wildJobs.test.ts`, 'a node whose launcher is killed ends whole'],
  ],
  '15 clocks are stepped and differ': [
    [`${here}/clocks.test.ts`, 'on a node, by an hour either way'],
    [`${here}/clocks.test.ts`, 'on the server moves ticks, none early'],
    [`${here}/clocks.test.ts`, 'over the autumn fold'],
    ['test/store/sessions/timeZones.test.ts', 'a node in another time zone'],
    ['test/unit/schedule/daylightSaving.test.ts', 'a fixed time runs in one pass of an overlap'],
  ],
  '16 jobs ignore SIGTERM, leave their session, breed': [
    [`${here}/wildJobs.test.ts`, 'is one run that timed out, and its tree is gone'],
    ['test/exec/pool/poolEnding.test.ts', 'comes to SIGKILL when SIGTERM is ignored'],
    ['test/exec/pool/poolEnding.test.ts', 'an orphan without mark, group and session is found'],
    ['test/node/hardJobs.test.ts', 'jobs that misbehave end as one run row each'],
  ],
  '17 jobs print without end, and what is no text': [
    ['test/node/hardJobs.test.ts', 'jobs that misbehave end as one run row each'],
    ['test/exec/pool/poolBounds.test.ts', 'of output leave the memory within'],
    ['test/exec/pool/poolBounds.test.ts', 'a run that prints without end does not keep others'],
  ],
  '18 a command cannot be executed': [
    ['test/exec/pool/poolRefusal.test.ts', 'ends as spawn_failed with a reason'],
    ['test/exec/pool/poolRefusal.test.ts', 'ends as spawn_failed when there is no bash'],
    ['test/node/hardJobs.test.ts', 'jobs that misbehave end as one run row each'],
  ],
  '19 a job is changed in any state, at any moment': [
    [`${here}/jobChanges.test.ts`, 'a job takes its'],
    ['test/store/jobs/jobsWhileHeld.test.ts', 'a claim that races with a pause leaves nothing'],
    ['test/store/transaction/oneTransaction.test.ts', 'an edit that waited for its lock'],
  ],
  '20 two versions run side by side': [
    ['test/upgrade/rollingUpgrade.test.ts', 'nodes of the version before run beside this one'],
    ['test/upgrade/otherVersions.test.ts', 'a node refuses a schema that is'],
  ],
  '21 a cluster refuses at COMMIT, and is parted': [
    [
      'test/store/transaction/oneTransaction.test.ts',
      'a transaction that is rolled back at its COMMIT',
    ],
    ['test/fault/engines/galera.test.ts', 'the lock, which is a write, excludes between two'],
    ['test/fault/engines/galera.test.ts', 'SELECT … FOR UPDATE alone excludes nobody'],
    ['test/fault/engines/galera.test.ts', 'all channels of a node leave a member that is parted'],
    ['test/fault/engines/groupPrimaries.test.ts', 'the lock, which is a write, excludes between'],
    ['test/fault/engines/groupReplication.test.ts', 'after a primary was killed under load'],
    ['test/fault/engines/groupReplication.test.ts', 'a COMMIT that a stopped primary finds'],
    ['test/fault/engines/testMembers.ts', 'of two nodes at two members each tick is claimed by'],
    ['test/fault/proxy/faultProxy.test.ts', 'new connections lead where the proxy is turned to'],
  ],
  '22 gaps in ids and a long history': [
    [`${here}/growth.test.ts`, '30,000 run rows with gaps in their ids'],
    ['test/store/lifecycle/claimPlan.test.ts', 'a claim reads the due end of one index'],
    ['test/store/runs/runs.test.ts', 'runs are listed newest first, page by page'],
  ],
  '23 an operator asks twice': [
    ['test/store/jobs/jobsUnknown.test.ts', 'a run asked for whose COMMIT is cut'],
    ['test/store/runs/runs.test.ts', 'a request id is taken once'],
    [`${here}/delayedChanges.test.ts`, 'an add that commits after it was given up'],
  ],
  '24 locks are gone, or the past has come back': [
    [`${here}/restored.test.ts`, 'under them, nodes start nothing, say why'],
    [`${here}/restored.test.ts`, 'restored from a backup made'],
    ['test/actors/fencing.test.ts', 'a node whose lock row is missing schedules nothing'],
  ],
  'a row that went round between read and update': [
    [`${here}/roundTrips.test.ts`, 'a row that went round and is'],
    [
      'test/store/lifecycle/launchIds.test.ts',
      'whatever an old launch asks for leaves the launch alone',
    ],
  ],
  'a silent holder of locks': [[`${here}/halfOpen.test.ts`, 'a holder of locks that falls silent']],
  'a death between COMMIT and spawn': [
    [`${here}/frozenNodes.test.ts`, 'between the COMMIT of a start and its spawn dies'],
    [`${here}/frozenNodes.test.ts`, 'whose launcher stands still between a start and its spawn'],
  ],
  'a reaper that pauses between read and write': [
    [`${here}/unknownRenewals.test.ts`, 'a reaper that pauses between its look and its write'],
    ['test/store/sessions/sessions.test.ts', 'a reaper that paused between look and write'],
  ],
  'heartbeats behind a holder of locks': [
    [`${here}/heldLocks.test.ts`, 'all locks held for 30 s cost no node its life'],
    [`${here}/heldLocks.test.ts`, 'one stripe held, with more due than a node has room for'],
  ],
  'a million missed ticks': [[`${here}/growth.test.ts`, '30 million missed ticks are one']],
  'a restart during a run': [
    ['test/node/fences.test.ts', 'a node that died starts again in a new session'],
    ['test/actors/drain.test.ts', 'what executes beyond the drain timeout is stopped'],
    [`${here}/databaseDeaths.test.ts`, 'killed for 5 s under 20 runs a second'],
  ],
};

test('each fault of the table is shown by tests that are there', () => {
  const missing = Object.entries(shown).flatMap(([fault, places]) =>
    places.filter((place) => !isThere(place)).map((place) => `${fault}: ${place.join(' › ')}`),
  );
  assert.deepEqual(missing, []);
  const numbers = Object.keys(shown).flatMap((name) => /^\d+/.exec(name)?.map(Number) ?? []);
  assert.deepEqual(
    numbers,
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
});

test('each scenario in this folder stands in the table', () => {
  const files = readdirSync(path.join(root, here)).filter((name) => name.endsWith('.test.ts'));
  const listed = new Set(Object.values(shown).flatMap((places) => places.map(([file]) => file)));
  const unlisted = files.filter((name) => !listed.has(`${here}/${name}`));
  assert.deepEqual(unlisted, ['coverage.test.ts']);
});

function isThere([place, title]: Place): boolean {
  const at = path.join(root, place);
  return existsSync(at) && readFileSync(at, 'utf8').includes(title);
}
