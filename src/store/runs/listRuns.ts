import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import { instantOf, type Since } from '../../domain/verify/since.ts';
import type { Channel } from '../connection/channel.ts';
import { conditionsOf, pageOfRuns, type RunConditions } from './pageOfRuns.ts';
import { launchColumns, type RunShown, runShown } from './runRow.ts';

export interface RunFilter extends Pick<RunConditions, 'job' | 'results' | 'node'> {
  /** Only of jobs of this group; `default`: of none other. */
  readonly group?: string;
  /** Only what ended since then; so long ago by the database's clock. */
  readonly since?: Since;
  readonly runsMax: number;
}

/**
 * The history, newest first by the time of the end, read page by page: a long answer needs no more
 * memory than a page, and holds nothing in the database.
 */
export async function* listRuns(channel: Channel, filter: RunFilter): AsyncGenerator<RunShown> {
  const { group, runsMax, since, ...others } = filter;
  const conditions: RunConditions = {
    ...others,
    ...(group === undefined ? {} : { groups: [group] }),
    ...(since === undefined ? {} : { sinceMs: instantOf(since, await channel.readNow()) }),
  };
  let after: RunPlace | null = null;
  for (let left = runsMax; left > 0; ) {
    const query = { ...conditions, after, runsMax: Math.min(left, pageMax) };
    const { runs, next }: Awaited<ReturnType<typeof pageOfRuns>> = await pageOfRuns(channel, query);
    yield* runs;
    left -= runs.length;
    if (next === null) return;
    after = next;
  }
}

const pageMax = 500;

/** The launches that execute now and meet the conditions, the newest first. */
export async function listRunning(
  channel: Channel,
  query: Pick<RunConditions, 'job' | 'groups' | 'node'> & { readonly runsMax: number },
): Promise<RunShown[]> {
  const { job, runsMax, ...others } = query;
  const conditions = conditionsOf(others, "slot.state = 'executing'");
  conditions.need('job.name = ?', job);
  const sql = `/* listRunning */ SELECT ${launchColumns}
    ${conditions.where} ORDER BY slot.started_at DESC LIMIT ?`;
  return channel.rows(runShown, sql, [...conditions.parameters, runsMax]);
}
