import {
  type BatchRequest,
  busy,
  type StartRequest,
  type Verdict,
} from '../../../src/domain/commit/batch.ts';
import { committed, type Outcome } from '../../../src/domain/errors/outcome.ts';
import { claimRows } from './claimRows.ts';
import { DatabaseError } from './databaseError.ts';
import type { LockGroups } from './dueRows.ts';
import type { MemoryChannel } from './memoryChannel.ts';
import { takeFreeLocks } from './memoryLocks.ts';
import { memoryTransact } from './memoryTransact.ts';
import type { StoreSession } from './nodeCaches.ts';
import { finishRow, reapRows, resetRow, startRow } from './slotRows.ts';
import type { Transaction } from './transaction.ts';

/** Longest wait of a start for its tick inside the transaction. */
const tickWaitMsMax = 20;

/**
 * Group commit in the memory server, statement by statement as `commitBatch` does it: free stripes,
 * own session, the wait for a tick, the arrows, COMMIT.
 */
export async function commitRows(
  channel: MemoryChannel,
  session: StoreSession,
  requests: readonly BatchRequest[],
): Promise<Outcome<Verdict[]>> {
  const outcome = await memoryTransact<Verdict[]>(channel, async () => {
    const held = await takeFreeLocks(channel, stripesOf(requests), session.mutation);
    const isLive = await channel.step(
      'readSession',
      (transaction) => transaction.session(session.sessionId)?.isLive === true,
    );
    if (!isLive) return { refuse: 'the session has ended' };
    const starts = requests.filter(
      (request): request is StartRequest => request.kind === 'start' && held.has(request.stripe),
    );
    await waitForTick(channel, starts);
    return channel.step('arrows', (transaction, owner) => {
      const { locks } = channel.parts.server;
      const lockGroups: LockGroups = (groups) =>
        new Set(groups.filter((group) => locks.takeFree(owner, [`limit ${group}`]).length > 0));
      return { commit: writeArrows(transaction, session, requests, held, lockGroups) };
    });
  });
  // What was rolled back each time is known to have changed nothing.
  const cause = outcome.outcome === 'unknown' ? outcome.cause : null;
  const isBusy = cause instanceof DatabaseError && cause.mayRetry;
  return isBusy ? committed(requests.map(() => busy)) : outcome;
}

async function waitForTick(channel: MemoryChannel, starts: readonly StartRequest[]): Promise<void> {
  const untilMs = Math.max(0, ...starts.map(({ waitUntilMs }) => waitUntilMs ?? 0));
  if (untilMs === 0) return;
  const { server, timeline } = channel.parts;
  await channel.step('waitForTick', () => {
    const waitMs = Math.min(tickWaitMsMax, untilMs - server.exactNowMs());
    if (waitMs <= 0) return undefined;
    return new Promise<void>((resolve) => timeline.after(waitMs, resolve));
  });
}

/** Finishes and resets before claims, so that what they free can be claimed in the same batch. */
function writeArrows(
  transaction: Transaction,
  session: StoreSession,
  requests: readonly BatchRequest[],
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): Verdict[] {
  const verdicts: Verdict[] = requests.map(() => busy);
  for (const kind of ['start', 'finish', 'reset', 'reap', 'claim'] as const) {
    // While a stripe is busy the same reset is requested again and comes into the same batch.
    const given = new Map<string, Verdict>();
    for (const [place, request] of requests.entries()) {
      if (request.kind !== kind) continue;
      if ('stripe' in request && !held.has(request.stripe)) continue;
      const key = 'launchId' in request ? request.launchId : String(place);
      const verdict = given.get(key) ?? writeArrow(transaction, session, request, held, lockGroups);
      given.set(key, verdict);
      verdicts[place] = verdict;
    }
  }
  return verdicts;
}

function writeArrow(
  transaction: Transaction,
  session: StoreSession,
  request: BatchRequest,
  held: ReadonlySet<number>,
  lockGroups: LockGroups,
): Verdict {
  switch (request.kind) {
    case 'start':
      return startRow(transaction, session.sessionId, request);
    case 'finish':
      return finishRow(transaction, request);
    case 'reset':
      return resetRow(transaction, session, request);
    case 'reap':
      return reapRows(transaction, request, held);
    case 'claim':
      return claimRows(transaction, session, request, held, lockGroups);
  }
}

function stripesOf(requests: readonly BatchRequest[]): number[] {
  const stripes = new Set<number>();
  for (const request of requests) {
    if (request.kind === 'claim') for (const stripe of request.dueStripes) stripes.add(stripe);
    else if (request.kind === 'reap') for (const stripe of request.stripes) stripes.add(stripe);
    else stripes.add(request.stripe);
  }
  return [...stripes].sort((a, b) => a - b);
}
