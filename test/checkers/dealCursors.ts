import { groupBy } from './groupBy.ts';
import type { CursorEvidence, JobEvidence } from './jobEvidence.ts';
import { NamedTicks } from './namedTicks.ts';
import type { LaunchTrail, Trails } from './readTrails.ts';
import { keepTickLedger } from './tickLedger.ts';

/**
 * Parts what is told of a job by its cursors. Most have one; a job that runs on every node has one
 * for each node, which owes the ticks from when its slot was made, and what there was of another
 * kind before.
 */
export function dealCursors(job: JobEvidence, trails: Trails, nowMs: number): CursorEvidence[] {
  const { record, runs, slots, pending } = job;
  const fromMs = record.historyFromDatabaseMs ?? Number.NEGATIVE_INFINITY;
  if (!record.revisions.some(isOfEvery)) {
    const ledger = keepTickLedger(job.named, { runs, slots, pending }, { nowMs, fromMs });
    return [{ ...job, nodeName: '', ledger }];
  }
  const nodeOfLaunch = nodesOf(job, trails);
  const names = new Set(['', ...slots.map(nameOf), ...runs.map(nameOf)]);
  return [...names].map((nodeName) => {
    const own = {
      runs: runs.filter((run) => nameOf(run) === nodeName),
      slots: slots.filter((slot) => nameOf(slot) === nodeName),
      pending: pending.filter((request) => request.nodeName === nodeName),
    };
    const revisions = record.revisions.filter((each) => isOfEvery(each) === (nodeName !== ''));
    const named = new NamedTicks({ ...record, revisions });
    const createdMs = own.slots[0]?.createdDatabaseMs ?? Number.NEGATIVE_INFINITY;
    const isGone = nodeName !== '' && own.slots.length === 0;
    const span = { nowMs: isGone ? null : nowMs, fromMs: Math.max(fromMs, createdMs + 1) };
    const isOwn = ({ launchId }: { readonly launchId: string }) =>
      (nodeOfLaunch.get(launchId) ?? '') === nodeName;
    const launches = job.launches.filter(isOwn);
    const ofTicks = new Set([...job.launchesByTick.values()].flat());
    return {
      ...job,
      ...own,
      nodeName,
      named,
      launches,
      launchesByTick: groupBy(
        launches.filter((launch) => ofTicks.has(launch)),
        (launch: LaunchTrail) => launch.scheduledForDatabaseMs ?? Number.NaN,
      ),
      processes: job.processes.filter(isOwn),
      // Nobody knows until when a node that was forgotten owed its ticks.
      ledger: keepTickLedger(named, own, span),
    };
  });
}

function isOfEvery({ definition }: { readonly definition: unknown }): boolean {
  return (definition as { readonly kind?: string } | null)?.kind === 'every-node';
}

function nameOf({ nodeName = '' }: { readonly nodeName?: string }): string {
  return nodeName;
}

/** The node's name of the slot that each launch was claimed into. */
function nodesOf({ runs, slots, launches }: JobEvidence, trails: Trails): Map<string, string> {
  const bySlot = new Map(slots.map((slot) => [slot.slotId, nameOf(slot)]));
  for (const run of runs) {
    const slotId = trails.launches.get(run.launchId ?? '')?.slotId;
    if (slotId !== undefined) bySlot.set(slotId, nameOf(run));
  }
  return new Map(launches.map(({ launchId, slotId }) => [launchId, bySlot.get(slotId) ?? '']));
}
