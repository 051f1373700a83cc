import type { Mutation } from './mutation.ts';

const scenarios = 'test/fault/scenarios';

/** What nodes have to survive, or die of, in the named scenarios: P4, P6–P9, P12, P13, P17. */
export const outageMutations: readonly Mutation[] = [
  {
    id: 'P13-connection-per-heartbeat',
    promise: 'P13',
    what: 'each heartbeat opens a connection of its own',
    file: 'src/store/sessions/sessions.ts',
    find: '  try {\n    const affected',
    replace: '  channel.destroy();\n  try {\n    const affected',
    test: {
      file: `${scenarios}/serverRefusals.test.ts`,
      title: 'a node needs no new connection while a server has none left',
    },
    why: 'a crowded server (1040) fences every node',
  },
  {
    id: 'P9-renewal-in-a-restored-past',
    promise: 'P9',
    what: 'a renewal does not look at the beats before it',
    file: 'src/store/sessions/sessions.ts',
    find: 'AND beats BETWEEN ? AND ?`',
    replace: 'AND (? + ?) >= 0`',
    test: { file: `${scenarios}/restored.test.ts`, title: 'restored from a backup made' },
    shown: 'deadline',
    why: 'a node goes on in a database that was restored from the past',
  },
  {
    id: 'P8-unknown-renewal-extends',
    promise: 'P8',
    what: 'a renewal of unknown outcome extends the lease',
    file: 'src/actors/heartbeatActor.ts',
    find: "} else if (outcome.outcome === 'unknown') {",
    replace: "} else if (outcome.outcome === 'unknown') {\n          lease.extend(sentBootMs);",
    test: {
      file: `${scenarios}/delayedCommits.test.ts`,
      title: 'a lease is not extended by a renewal that nobody acknowledged',
    },
    shown: 'deadline',
    why: 'a node lives on that the database has not heard of for a TTL',
  },
  {
    id: 'P13-heartbeat-queues-for-lock',
    promise: 'P13',
    what: 'a heartbeat takes the lock of session management first',
    file: 'src/store/sessions/sessions.ts',
    find: 'await channel.change(renew, [beats, sessionId, ackedBeats, beats - 1]);',
    replace: `await channel.use(async (connection) => {
      await connection.query('START TRANSACTION');
      await connection.query('SELECT * FROM lock_row WHERE lock_id = 64 FOR UPDATE');
      const matched = await connection.change(renew, [beats, sessionId, ackedBeats, beats - 1]);
      await connection.query('COMMIT');
      return matched;
    });`,
    test: { file: `${scenarios}/heldLocks.test.ts`, title: 'all locks held for 30 s' },
    why: 'one slow holder of a lock makes every node kill itself',
  },
  {
    id: 'P4-spawn-before-commit',
    promise: 'P4',
    what: 'the child is spawned as soon as the start is requested',
    file: 'src/actors/slotActor.ts',
    find: 'requestCommit(system, self, startRequest(context.launch, clock.nowMs())),',
    replace: `[
          requestCommit(system, self, startRequest(context.launch, clock.nowMs())),
          self.send({ type: 'start.committed' }),
        ],`,
    test: {
      file: `${scenarios}/frozenNodes.test.ts`,
      title: 'between the COMMIT of a start and its spawn dies',
    },
    why: 'a command runs of which the database never heard',
  },
  {
    id: 'P17-lease-on-the-wall',
    promise: 'P17',
    what: 'the lease is counted on the wall clock',
    file: 'src/exec/lease/bootClock.ts',
    find: 'return uptime() * 1000;',
    replace: 'return uptime() === 0 ? 0 : Date.now();',
    test: {
      file: `${scenarios}/clocks.test.ts`,
      title: 'on a node, by an hour either way, moves no tick and costs no session',
    },
    why: 'a step of the clock fences a healthy node, or keeps a dead one alive',
  },
  {
    id: 'P12-early-after-step',
    promise: 'P12',
    what: 'nobody notices that the database’s clock was set back',
    file: 'src/domain/time/databaseClock.ts',
    find: 'const steppedBack = offsetMsMax < this.#offsetMs - readingErrorMs;',
    replace: 'const steppedBack = offsetMsMax < Number.NEGATIVE_INFINITY;',
    more: [
      {
        file: 'src/store/lifecycle/startSlots.ts',
        find: 'session_id = ?\n    AND scheduled_for <= NOW(3)`',
        replace: 'session_id = ?`',
      },
    ],
    test: {
      file: `${scenarios}/clocks.test.ts`,
      title: 'on the server moves ticks, none early, and no session',
    },
    why: 'ticks run an hour before their time',
  },
  {
    id: 'P6-tree-not-waited-for',
    promise: 'P6',
    what: 'what the shell left running is signalled and not waited for',
    file: 'src/exec/terminate/processTreeTerminator.ts',
    find: 'if (performance.now() >= waiting.schedule.giveUpAtMs) this.#end(waiting, false);',
    replace: 'this.#end(waiting, false);',
    test: { file: 'test/exec/pool/poolEnding.test.ts', title: 'an orphan without mark, group' },
    why: 'the next run of a job meets the daemons of the last',
  },
  {
    id: 'P7-half-alive',
    promise: 'P7',
    what: 'a node whose launcher died goes on',
    file: 'src/startNode.ts',
    find: 'onFatal: fail, ',
    replace: 'onFatal: () => undefined, ',
    more: [
      {
        file: 'src/actors/slotActor.ts',
        find: "sendTo(system, 'node', { type: 'node.failed', error });",
        replace: 'void [system, error];',
      },
    ],
    test: {
      file: `${scenarios}/wildJobs.test.ts`,
      title: 'a node whose launcher is killed ends whole',
    },
    shown: 'deadline',
    why: 'a node that can run nothing keeps its slots',
  },
];
