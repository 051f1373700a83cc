import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { followOrder } from '../../domain/jobFile/planApply.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { integer, only } from '../rows/row.ts';
import { linkChains, requireUpstreams } from './linkChains.ts';

interface AddedJob {
  readonly jobId: number;
  readonly definition: JobDefinition;
}

/**
 * Writes which jobs many new ones follow, in the transaction that adds them all, by a few
 * statements together. The caller holds their stripes and the lock of the chains.
 * @param linkedMs when the jobs come into force: ends from then on count
 * @throws OperatorError `upstream_missing`, `chain_cycle`.
 */
export async function linkAdded(
  connection: ChannelConnection,
  added: readonly AddedJob[],
  linkedMs: number,
): Promise<void> {
  const links = added.flatMap(({ jobId, definition: { after = [] } }) =>
    after.map((each) => ({ ...each, jobId })),
  );
  if (links.length === 0) return;
  await requireUpstreams(connection, links);
  if (await mayBeCircle(connection, added)) {
    for (const { jobId, definition } of added) {
      const { after, name } = definition;
      if (after !== undefined) await linkChains(connection, { jobId, name, after });
    }
    return;
  }
  const at = new Date(linkedMs);
  const rows = links.map(({ jobId, job, on }) => [jobId, job, on, at, at]);
  await connection.insert(insertLinks, rows);
}

/** New jobs are in a circle only with each other, unless somebody follows one of them already. */
async function mayBeCircle(
  connection: ChannelConnection,
  added: readonly AddedJob[],
): Promise<boolean> {
  const definitions = added.map(({ definition }) => definition);
  if (followOrder(definitions).cycle !== null) return true;
  const names = definitions.map(({ name }) => name);
  return (await connection.rowsOf(only(integer), selectFollower, names)).length > 0;
}

const selectFollower = `/* linkAdded followers */ SELECT job_id FROM chain_link
  WHERE upstream IN (?) LIMIT 1`;
const insertLinks = `/* linkAdded */ INSERT INTO chain_link
    (job_id, upstream, wanted, linked_at, swept_until)
  VALUES ?`;
