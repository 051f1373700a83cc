import { type BatchRequest, busy, type Verdict } from '../../domain/commit/batch.ts';
import { committed, type Outcome } from '../../domain/errors/outcome.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';
import { takeFreeStripes } from '../transaction/takeStripes.ts';
import { isLockConflict, transact } from '../transaction/transact.ts';
import { claimSlots } from './claimSlots.ts';
import { finishSlots } from './finishSlots.ts';
import { reapSlots } from './reapSlots.ts';
import { resetSlots } from './resetSlots.ts';
import type { SlotContext } from './slotContext.ts';
import { startSlots } from './startSlots.ts';

/**
 * Group commit: every slot write that this process requests, in one transaction. Locks first
 * and as a write, those stripes that are free; then the own session must be `live`, read plainly so
 * that no heartbeat ever waits; then each arrow once for all its rows. Resolves to one verdict per
 * request, in order; they count only when the outcome is `committed`. `refused`: the own session
 * has ended, and this process is fenced. A batch that the server rolled back again and again, as
 * the certification of a cluster does, is known to have changed nothing: all of it was busy.
 */
export async function commitBatch(
  channel: Channel,
  context: SlotContext,
  requests: readonly BatchRequest[],
): Promise<Outcome<Verdict[]>> {
  const outcome = await transact(channel, 'commitBatch', async (connection) => {
    const held = await takeFreeStripes(connection, stripesOf(requests));
    const [state] = await connection.rows(only(text), readSession, [context.sessionId]);
    if (state !== 'live') return { refuse: 'the session has ended' };
    const verdicts = await writeArrows(connection, context, requests, held);
    return { commit: verdicts };
  });
  const isBusy = outcome.outcome === 'unknown' && isLockConflict(outcome.cause);
  return isBusy ? committed(requests.map(() => busy)) : outcome;
}

/** Finishes and resets before claims, so that what they free can be claimed in the same batch. */
async function writeArrows(
  connection: ChannelConnection,
  context: SlotContext,
  requests: readonly BatchRequest[],
  held: ReadonlySet<number>,
): Promise<Verdict[]> {
  const { sessionId } = context;
  const verdicts: Verdict[] = requests.map(() => busy);
  const each = async <K extends 'start' | 'finish' | 'reset'>(
    kind: K,
    write: (chosen: Extract<BatchRequest, { kind: K }>[]) => Promise<Verdict[]>,
  ): Promise<void> => {
    const places: number[] = [];
    const chosen = requests.filter((request, place) => {
      const isChosen = request.kind === kind && held.has((request as { stripe: number }).stripe);
      if (isChosen) places.push(place);
      return isChosen;
    });
    const given = await write(chosen as Extract<BatchRequest, { kind: K }>[]);
    for (const [index, place] of places.entries()) verdicts[place] = given[index] ?? busy;
  };
  await each('start', (chosen) => startSlots(connection, context, chosen));
  await each('finish', (chosen) => finishSlots(connection, context, chosen));
  await each('reset', (chosen) => resetSlots(connection, sessionId, chosen));
  for (const [place, request] of requests.entries()) {
    if (request.kind === 'reap') {
      verdicts[place] = await reapSlots(connection, context, request, held);
    }
  }
  for (const [place, request] of requests.entries()) {
    if (request.kind === 'claim') {
      verdicts[place] = await claimSlots(connection, context, request, held);
    }
  }
  return verdicts;
}

function stripesOf(requests: readonly BatchRequest[]): number[] {
  return [...new Set(requests.flatMap(lockedBy))].sort((a, b) => a - b);
}

function lockedBy(request: BatchRequest): readonly number[] | number {
  if (request.kind === 'claim') return request.dueStripes;
  return request.kind === 'reap' ? request.stripes : request.stripe;
}

const readSession = '/* readSession */ SELECT state FROM session WHERE session_id = ?';
