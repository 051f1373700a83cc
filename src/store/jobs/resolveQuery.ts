import type { JobState } from '../../domain/run/jobState.ts';
import { observedFormat } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';
import { readTargeting } from '../targeting/targetingCache.ts';
import { readTargetsOfNode, readUnrunnableTargets } from '../targeting/unrunnableJobs.ts';
import type { JobPageQuery, ResolvedQuery } from './selectPage.ts';

/**
 * What the statements of a page look for instead of states and nodes, which no column of `job` has:
 * conditions that all jobs of the page meet, and others may.
 */
export async function resolveQuery(channel: Channel, query: JobPageQuery): Promise<ResolvedQuery> {
  const { isPaused = pauseOf(query.state) } = query;
  return {
    ...query,
    ...(isPaused === undefined ? {} : { isPaused }),
    ...(await targetsOf(channel, query)),
    ...(await slotsOf(channel, query.state)),
  };
}

/** A running job may be paused; of the jobs found by targets few are, and are dropped later. */
function pauseOf(state: JobState | undefined): boolean | undefined {
  if (state === undefined || state === 'running' || isOfTargets(state)) return undefined;
  return state === 'paused';
}

const isOfTargets = (state: JobState | undefined): boolean =>
  state === 'cannot_run' || state === 'observed';

async function targetsOf(channel: Channel, { node, state }: JobPageQuery) {
  if (node === undefined && !isOfTargets(state)) return {};
  const ofNode = node === undefined ? null : await readTargetsOfNode(channel, node);
  const ofState = await targetsOfState(channel, state);
  const both = ofNode && ofState ? ofNode.filter((id) => ofState.includes(id)) : null;
  return { targetIds: both ?? ofNode ?? ofState ?? [] };
}

async function targetsOfState(channel: Channel, state: JobState | undefined) {
  if (state === 'cannot_run') return readUnrunnableTargets(channel);
  if (state !== 'observed') return null;
  const { placements } = await readTargeting(channel);
  // Definitions of later versions have higher formats, observed or not.
  return [...placements].flatMap(([targetId, { definitionFormat }]) =>
    definitionFormat >= observedFormat ? [targetId] : [],
  );
}

/** The jobs with slots in the state; where they are too many, what is to be so of a slot. */
async function slotsOf(channel: Channel, state: JobState | undefined) {
  if (state !== 'running' && state !== 'waiting') return {};
  const ofSlot = slotConditions[state];
  const sql = `/* resolveQuery slots */ SELECT DISTINCT job_id
    FROM slot FORCE INDEX (slot_by_due) WHERE ${ofSlot} LIMIT ?`;
  const jobIds = await channel.rows(only(integer), sql, [jobsMax + 1]);
  return jobIds.length > jobsMax ? { ofSlot } : { jobIds };
}

/**
 * As many are read again for each page, to be sorted. MariaDB reads every row for a list that has
 * 1,000 members (`in_predicate_conversion_threshold`).
 */
const jobsMax = 900;

const slotConditions = {
  running: "slot.state = 'executing'",
  waiting: "slot.state IN ('idle', 'prepare') AND slot.next_run_at <= NOW(3)",
} as const;
