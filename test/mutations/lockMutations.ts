import type { Mutation } from './mutation.ts';

const transact = 'test/store/transaction/transact.test.ts';
const oneTransaction = 'test/store/transaction/oneTransaction.test.ts';
const sessions = 'test/store/sessions/sessions.test.ts';

/** Locks, transactions and the waits on them: P1, P13, P15. */
export const lockMutations: readonly Mutation[] = [
  {
    id: 'P1-busy-is-mine',
    promise: 'P1',
    what: 'stripes that another holds count as taken',
    file: 'src/store/transaction/takeStripes.ts',
    find: 'return new Set(got);',
    replace: 'return new Set(lockIds);',
    test: { file: transact, title: 'of two overlapping transactions with one lock' },
    why: 'a batch writes slots while another transaction holds their stripe',
  },
  {
    id: 'P1-for-update-only',
    promise: 'P1',
    what: 'a lock is taken by SELECT … FOR UPDATE, without a write',
    file: 'src/store/transaction/takeStripes.ts',
    find: 'const affected = await connection.change(writeTaken, [lockIds]);',
    replace: 'const affected = lockIds.length;',
    test: { file: transact, title: 'a COMMIT whose' },
    why: 'on Galera and on multi-primary Group Replication both of two holders commit',
  },
  {
    id: 'P1-for-update-on-galera',
    promise: 'P1',
    what: 'the same, on two members of a cluster',
    file: 'src/store/transaction/takeStripes.ts',
    find: 'const affected = await connection.change(writeTaken, [lockIds]);',
    replace: 'const affected = lockIds.length;',
    test: {
      file: 'test/fault/engines/galera.test.ts',
      title: 'the lock, which is a write, excludes between two members',
    },
    why: 'certification goes by what was written, and lets both of two holders commit',
  },
  {
    id: 'P1-missing-row-is-free',
    promise: 'P1',
    what: 'a lock row that is missing is taken for one that is busy',
    file: 'src/store/transaction/takeStripes.ts',
    find: 'if (got.length < lockIds.length) await',
    replace: 'if (got.length < 0) await',
    test: { file: transact, title: 'a missing lock row is an error' },
    why: 'nobody is told that a lock excludes nobody any more',
  },
  {
    id: 'P1-no-lock-for-changes',
    promise: 'P1',
    what: 'an operator’s change takes no lock',
    file: 'src/store/idempotency/changeOnce.ts',
    find: 'await takeStripes(connection, lock);',
    replace: 'await takeStripes(connection, []);',
    test: { file: oneTransaction, title: 'an edit that waited for its lock' },
    why: 'a claim and a pause both commit, and what was paused starts',
  },
  {
    id: 'P13-heartbeat-queues',
    promise: 'P13',
    what: 'a heartbeat takes the lock of session management first',
    file: 'src/store/sessions/sessions.ts',
    find: 'const affected = await channel.change(renew,',
    replace: `await channel.query('START TRANSACTION');
    await channel.query('SELECT * FROM lock_row WHERE lock_id = 64 FOR UPDATE');
    await channel.query('COMMIT');
    const affected = await channel.change(renew,`,
    test: { file: sessions, title: 'a heartbeat waits for no lock' },
    why: 'one slow holder of a lock makes every node lose its lease',
  },
  {
    id: 'P13-batch-locks-session',
    promise: 'P13',
    what: 'a batch locks its session row while it reads it',
    file: 'src/store/lifecycle/commitBatch.ts',
    find: 'SELECT state FROM session WHERE session_id = ?',
    replace: 'SELECT state FROM session WHERE session_id = ? FOR UPDATE',
    test: { file: sessions, title: 'a heartbeat waits for no lock' },
    why: 'a heartbeat waits for the batch, and the lease ends while it waits',
  },
  {
    id: 'P13-timeout-keeps-connection',
    promise: 'P13',
    what: 'a connection whose statement timed out is used again',
    file: 'src/store/connection/channel.ts',
    find: "if (kind === 'unknown' || kind === 'contact')",
    replace: "if (kind === 'contact')",
    more: [
      {
        file: 'src/store/transaction/transact.ts',
        find: 'connection.destroy(); // the server',
        replace: '// the server',
      },
    ],
    test: { file: transact, title: 'a statement that takes too long destroys its connection' },
    why: 'its transaction stays open with its locks, under the next one’s statements',
  },
  {
    id: 'P13-silence-unbounded',
    promise: 'P13',
    what: 'the server is not told to cut off silent connections',
    file: 'src/store/openNodeStore.ts',
    find: 'silenceSeconds: Math.max(2,',
    replace: 'silenceSeconds: Math.max(28_800,',
    test: { file: oneTransaction, title: 'a silent holder of a lock is cut off' },
    shown: 'deadline',
    why: 'a node that hangs inside a transaction holds its stripes for eight hours',
  },
  {
    id: 'P13-long-timeouts',
    promise: 'P13',
    what: 'the time-out of statements does not depend on the TTL',
    file: 'src/store/openNodeStore.ts',
    find: 'Math.min(5_000, 0.9 * marginMs)',
    replace: 'Math.min(5_000, 9_000)',
    test: { file: 'test/actors/heartbeatLease.test.ts', title: 'no wait on the database is as' },
    why: 'what was sent before the fence is still waited for after the end of the session',
  },
  {
    id: 'P15-commit-is-believed',
    promise: 'P15',
    what: 'an error on COMMIT counts as committed',
    file: 'src/store/transaction/transact.ts',
    find: ' commit */ COMMIT`);',
    replace: ' commit */ COMMIT`).catch(() => undefined);',
    test: { file: transact, title: 'a COMMIT whose' },
    why: 'memory holds launches that the database never heard of, and spawns them',
  },
  {
    id: 'P15-commit-again-alone',
    promise: 'P15',
    what: 'a COMMIT that fails is sent again on its own',
    file: 'src/store/transaction/transact.ts',
    find: ' commit */ COMMIT`);',
    replace: ' commit */ COMMIT`).catch(() => connection.query(`/* again */ COMMIT`));',
    test: { file: oneTransaction, title: 'a transaction that is rolled back at its COMMIT' },
    why: 'the second one answers OK with nothing written',
  },
  {
    id: 'P15-early-refusal',
    promise: 'P15',
    what: 'a refusal is believed before its COMMIT',
    file: 'src/store/transaction/transact.ts',
    find: 'decision = await work(connection);',
    replace: `decision = await work(connection);
        if ('refuse' in decision) {
          await rollBack(connection, name);
          return refused(decision.refuse);
        }`,
    test: { file: oneTransaction, title: 'a refusal whose COMMIT is cut' },
    why: 'what was read in a transaction that never was fences a node, or drops a launch',
  },
  {
    id: 'P15-unknown-is-adopted',
    promise: 'P15',
    what: 'a start of unknown outcome leaves its launch in memory as executing',
    file: 'statecharts/slot.ts',
    find: "'start.unknown': { target: '#slot.reset', actions: 'returnPermit' },",
    replace: "'start.unknown': '#slot.executing',",
    test: { file: 'test/actors/cutCommits.test.ts', title: '(b) a start whose COMMIT is cut' },
    why: 'memory runs ahead of the row: the child of a start that never was',
  },
];
