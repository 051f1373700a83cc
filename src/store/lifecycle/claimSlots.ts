import type { ClaimRequest, Verdict } from '../../domain/commit/batch.ts';
import { claimForSlot } from '../../domain/policies/slotsPast.ts';
import type { Launch } from '../../domain/run/launch.ts';
import { ownsSlot } from '../../domain/run/share.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { notifyMissed } from '../notifications/notifyMissed.ts';
import { partition } from '../rows/partition.ts';
import { type Due, pastKey, readPasts } from '../slots/readPasts.ts';
import { idsOf } from '../slots/releaseSlots.ts';
import { readRequestEnvs, withRequestEnv } from '../slots/requestDetails.ts';
import { type Claimed, writeClaims } from '../slots/writeClaims.ts';
import { explainMissed } from '../targeting/explainMissed.ts';
import { readDue } from './readDue.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * idle → prepare for what is due within the horizon on the stripes held: the launch takes the
 * earlier of cursor and pending, the cursor moves on, and every tick that it passes is written as a
 * range row, or as a pending launch that waits its turn, in the same transaction (P19). Costs the
 * same with a thousand idle rows and with a million: the index slot_by_due is read from its start,
 * in order, up to the limit.
 */
export async function claimSlots(
  connection: ChannelConnection,
  context: SlotContext,
  request: ClaimRequest,
  held: ReadonlySet<number>,
): Promise<Verdict> {
  const [due, surplus] = partition(await readDue(connection, context, request, held), isWanted);
  if (surplus.length > 0) {
    await connection.change(deleteSurplus, [idsOf(surplus.map(({ slot }) => slot))]);
  }
  const pasts = await readPasts(connection, due, context.nodeName);
  const claimed = due.flatMap(({ slot, revision }): Claimed[] => {
    const past = pasts.get(pastKey(slot));
    if (past === undefined) throw new Error('claimSlots: a slot without a past');
    const { definition, ticks } = revision;
    const aheadMs = ownsSlot(request.share, slot) ? request.aheadMs : request.aheadAnywhereMs;
    const claim = claimForSlot(past, { definition, ticks, nowMs: slot.nowMs, aheadMs });
    if (claim === null) return [];
    const launchId = claim.decision.launch === null ? '' : context.nextLaunchId();
    return [{ ...claim, slot, revision, launchId, isParallel: past.isParallel }];
  });
  const passedBy = claimed.map(({ slot, decision: { ranges } }) => ({ slot, ranges }));
  await explainMissed(connection, passedBy, context);
  const passed = await writeClaims(connection, context.sessionId, claimed);
  await notifyMissed(connection, context.notifications, claimed);
  const busyStripes = request.dueStripes.filter((stripe) => !held.has(stripe));
  const bare = claimed.filter(({ launchId }) => launchId !== '').map(launchOf);
  const envs = await readRequestEnvs(connection, bare);
  const launches = bare.map((launch) => ({
    ...launch,
    definition: withRequestEnv(launch.definition, launch, envs),
  }));
  return { verdict: 'claimed', launches, passed, busyStripes };
}

/** An edit may have left fewer slots side by side; one that executed then goes when it is idle. */
function isWanted({ slot, revision }: Due): boolean {
  return slot.slotNo < (revision.definition.parallel ?? 1);
}

function launchOf({ slot, revision, decision, launchId, startAtMs, taken }: Claimed): Launch {
  const { launch, cursorMs } = decision;
  if (launch === null) throw new Error('launchOf: a claim without a launch');
  return {
    launchId,
    slotId: slot.slotId,
    jobId: slot.jobId,
    stripe: slot.stripe,
    slotNodeName: slot.nodeName,
    slotNo: slot.slotNo,
    revision: slot.jobRevision,
    trigger: launch.trigger,
    attempt: launch.attempt,
    requestId: taken?.requestId || null,
    scheduledForMs: launch.scheduledForMs,
    startAtMs,
    cursorMs,
    definition: revision.definition,
  };
}

const deleteSurplus = `/* claimSlots surplus */ DELETE FROM slot
  WHERE slot_id IN (?) AND state = 'idle'`;
