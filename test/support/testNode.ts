import type { BatchRequest, Verdict } from '../../src/domain/commit/batch.ts';
import type { NodeStore, SessionIntroduction } from '../../src/domain/commit/nodeStore.ts';
import type { Outcome } from '../../src/domain/errors/outcome.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import { launchIdMaker, makeSessionId } from '../../src/domain/run/launchId.ts';
import type { Execution } from '../../src/domain/run/run.ts';
import { wholeLine } from '../../src/domain/run/share.ts';
import { allStripes } from '../../src/domain/run/stripes.ts';

/** The store of a node that is one live session, its requests one by one. */
export interface TestNode {
  readonly sessionId: string;
  readonly store: NodeStore;
  claim(slotsMax?: number): Promise<Launch[]>;
  /** One request in a batch of its own. */
  ask(request: BatchRequest): Promise<Verdict | 'unknown' | 'refused'>;
  start(launch: Launch): Promise<Verdict | 'unknown' | 'refused'>;
  /** `endedMs`: when it ended by the database's clock; absent: now. */
  finish(
    launch: Launch,
    result?: Partial<Execution>,
    endedMs?: number,
  ): Promise<Verdict | 'unknown' | 'refused'>;
}

export const succeeded: Execution = {
  result: 'succeeded',
  exitCode: 0,
  signal: null,
  reason: null,
  output: new Uint8Array(0),
  outputBytes: 0,
};

/** How the nodes of tests introduce themselves. */
export function introduce(sessionId: string, nodeName: string, ttlMs: number): SessionIntroduction {
  return {
    sessionId,
    nodeName,
    ttlMs,
    host: 'test',
    processId: 1,
    guardianProcessId: null,
    version: '0.0.0',
    timezoneData: '',
    capacity: 1,
    concurrency: 1,
  };
}

/**
 * Makes a new session live in the store that is opened for it. Its id comes after those of whole
 * nodes: it does none of the work that the first of all sessions do for the others.
 */
export async function joinWith(
  nodeName: string,
  ttlMs: number,
  open: (sessionId: string, nextLaunchId: () => string) => NodeStore,
  facts: Pick<SessionIntroduction, 'level' | 'labels' | 'users'> = {},
): Promise<TestNode> {
  const sessionId = `sfff${makeSessionId().slice(4)}`;
  const store = open(sessionId, launchIdMaker(sessionId));
  const joined = await store.joinSession({
    ...introduce(sessionId, nodeName, ttlMs),
    ...facts,
  });
  if (joined.outcome !== 'committed') throw new Error(`${nodeName} could not join`);
  const ask = async (request: BatchRequest) => verdictOf(await store.commitBatch([request]));
  const address = ({ slotId, stripe, launchId }: Launch) => ({ slotId, stripe, launchId });
  return {
    sessionId,
    store,
    ask,
    claim: async (slotsMax = 100) => {
      const verdict = await ask({
        kind: 'claim',
        share: wholeLine,
        dueStripes: allStripes,
        aheadMs: 30_000,
        aheadAnywhereMs: 3_000,
        slotsMax,
      });
      if (verdict === 'unknown' || verdict === 'refused' || verdict.verdict !== 'claimed')
        return [];
      return [...verdict.launches];
    },
    start: (launch) => ask({ kind: 'start', ...address(launch), waitUntilMs: null, launch }),
    finish: (launch, result = {}, endedMs = undefined) => {
      const ended = endedMs === undefined ? {} : { endedMs };
      const execution = { ...succeeded, ...result };
      return ask({ kind: 'finish', ...address(launch), execution, ...ended });
    },
  };
}

function verdictOf(outcome: Outcome<Verdict[]>): Verdict | 'unknown' | 'refused' {
  if (outcome.outcome !== 'committed') return outcome.outcome;
  return outcome.value[0] ?? 'unknown';
}
