import { exitCodes, FieldError, OperatorError } from '../../domain/errors/errors.ts';
import type { Upstream } from '../../domain/job/fieldTable/upstream.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf } from '../connection/queryable.ts';
import { each, instantMs, only, rowOf, text } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';

/** A job whose definition comes into force in the transaction that the caller is in. */
interface LinkedJob {
  readonly jobId: number;
  readonly name: string;
  readonly after: readonly Upstream[];
}

/**
 * Writes which jobs a job follows from now on, in the transaction that gives it the definition; an
 * edge that stays keeps what has been delivered over it. The caller holds the job's stripes; the
 * lock of the chains comes after them, and nobody who has it waits for a stripe.
 * @throws OperatorError `upstream_missing`, `chain_cycle`.
 */
export async function linkChains(connection: ChannelConnection, job: LinkedJob): Promise<void> {
  const linked = await connection.rows(chainLink, selectLinks, [job.jobId]);
  const linkOf = ({ job: upstream, on }: Upstream) =>
    linked.find((link) => link.upstream === upstream && link.wanted === on);
  if (linked.length === job.after.length && job.after.every(linkOf)) return;
  await lockChains(connection);
  await requireUpstreams(connection, job.after);
  await requireNoCycle(connection, job);
  await connection.change(deleteLinks, [job.jobId]);
  for (const each of job.after) {
    const { linkedAtMs, sweptUntilMs } = linkOf(each) ?? { linkedAtMs: null, sweptUntilMs: null };
    await connection.change(insertLink, [
      ...[job.jobId, each.job, each.on],
      ...[dateOf(linkedAtMs), dateOf(sweptUntilMs)],
    ]);
  }
}

/**
 * Takes a removed job's edges away.
 * @throws OperatorError `job_followed` when another job still waits for its ends.
 */
export async function unlinkChains(
  connection: ChannelConnection,
  job: { readonly jobId: number; readonly name: string },
): Promise<void> {
  await lockChains(connection);
  const keys = [job.name, job.jobId];
  const followers = await connection.rows(only(text), selectFollowers, keys);
  if (followers.length > 0) {
    const names = [...(await nameOwn(connection, followers)).values()].join(', ');
    throw new OperatorError({
      code: 'job_followed',
      message: `The end of ${JSON.stringify(job.name)} starts ${names}, which then never would.`,
      hint: 'Remove those first, or take the edge away: statecron job edit … --no-after',
    });
  }
  await connection.change(deleteLinks, [job.jobId]);
}

/** Taken after the stripes; for who takes several jobs' stripes, before anything else. */
export async function lockChains(connection: ChannelConnection): Promise<void> {
  // Written, not only read: FOR UPDATE alone excludes nobody on multi-primary clusters.
  await connection.change(writeLock);
}

/** @throws FieldError `upstream_missing` of the first that is not there. */
export async function requireUpstreams(
  connection: ChannelConnection,
  after: readonly Upstream[],
): Promise<void> {
  const names = [...new Set(after.map(({ job }) => job))];
  const present = new Set(await connection.rowsOf(only(text), selectJobs, names));
  const missing = names.find((name) => !present.has(name));
  if (missing === undefined) return;
  throw upstreamMissing(missing);
}

/** That there is no job of the name that is to be followed. */
export function upstreamMissing(missing: string): FieldError {
  const message = `there is no job ${JSON.stringify(missing)}`;
  return new FieldError({
    ...{ code: 'upstream_missing', message: `after: ${message}.`, missing },
    hint: 'Add that job first; see the jobs that there are: statecron job list',
    errors: [{ field: 'after', message }],
    exitCode: exitCodes.failed,
  });
}

/** Walks up from the job's upstreams, a level a query; meeting the job itself is a circle. */
async function requireNoCycle(connection: ChannelConnection, job: LinkedJob): Promise<void> {
  const followerOf = new Map(job.after.map(({ job: upstream }) => [upstream, job.name]));
  let level = [...followerOf.keys()];
  while (level.length > 0) {
    if (followerOf.has(job.name)) throw await cycleFault(connection, job.name, followerOf);
    const edges = await connection.rows(chainEdge, selectUpstreams, [level]);
    const next = edges.filter(({ upstream }) => !followerOf.has(upstream));
    for (const { name, upstream } of next) followerOf.set(upstream, name);
    level = [...new Set(next.map(({ upstream }) => upstream))];
  }
}

async function cycleFault(
  connection: ChannelConnection,
  name: string,
  followerOf: ReadonlyMap<string, string>,
): Promise<OperatorError> {
  const round = [name];
  let each = followerOf.get(name);
  for (; each !== undefined && each !== name; each = followerOf.get(each)) round.push(each);
  const names = await nameOwn(connection, round);
  const named = (part: string) => (part === name ? JSON.stringify(name) : names.get(part));
  const shown = [...round, name].map(named).join(' → ');
  const message = `the jobs would start each other in a circle: ${shown}`;
  return new FieldError({
    ...{ code: 'chain_cycle', message: `after: ${message}.` },
    hint: 'Leave one edge of the circle out.',
    errors: [{ field: 'after', message }],
    exitCode: exitCodes.failed,
  });
}

const writeLock = `/* lockChains */ INSERT INTO note (note_name, note_value) VALUES ('chains', '1')
  ON DUPLICATE KEY UPDATE note_value = note_value + 1`;
const chainLink = rowOf({
  ...each(text, 'upstream', 'wanted'),
  ...each(instantMs, 'linkedAtMs', 'sweptUntilMs'),
});
const selectLinks = `/* linkChains read */ SELECT upstream, wanted, linked_at, swept_until
  FROM chain_link WHERE job_id = ?`;
const selectJobs = `/* linkChains jobs */ SELECT name FROM job
  WHERE removed_no = 0 AND name IN (?)`;
const chainEdge = rowOf({ name: text, upstream: text });
const selectUpstreams = `/* linkChains upstreams */ SELECT job.name, chain_link.upstream
  FROM job JOIN chain_link ON chain_link.job_id = job.job_id
  WHERE job.removed_no = 0 AND job.name IN (?)`;
const selectFollowers = `/* unlinkChains followers */ SELECT job.name
  FROM chain_link JOIN job ON job.job_id = chain_link.job_id
  WHERE chain_link.upstream = ? AND chain_link.job_id <> ? AND job.removed_no = 0 LIMIT 5`;
const deleteLinks = '/* linkChains delete */ DELETE FROM chain_link WHERE job_id = ?';
const insertLink = `/* linkChains */ INSERT INTO chain_link
    (job_id, upstream, wanted, linked_at, swept_until)
  VALUES (?, ?, ?, IFNULL(?, NOW(3)), IFNULL(?, NOW(3)))`;

const others = 'a job of another group';

/**
 * How jobs are named in a fault, by their names. Chains cross groups, and who may see some groups
 * does not see the names of the rest.
 */
async function nameOwn(
  connection: ChannelConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const groups = connection.by?.groups ?? null;
  if (groups === null) return new Map(names.map((name) => [name, JSON.stringify(name)]));
  const keys = [names, columnsOfGroups(groups)];
  const own = new Set(await connection.rows(only(text), selectOwn, keys));
  return new Map(names.map((name) => [name, own.has(name) ? JSON.stringify(name) : others]));
}

const selectOwn = `/* nameOwn */ SELECT job.name
  FROM job LEFT JOIN target ON target.target_id = job.target_id
  WHERE job.removed_no = 0 AND job.name IN (?) AND IFNULL(target.job_group, '') IN (?)`;
