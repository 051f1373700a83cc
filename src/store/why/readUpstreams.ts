import type { Upstream } from '../../domain/job/fieldTable/upstream.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { UpstreamFacts } from '../../domain/why/whyFacts.ts';
import { isEnd } from '../chains/readChainEnds.ts';
import type { Channel } from '../connection/channel.ts';
import { flag, instantMs, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';

/**
 * The jobs that a job follows, and how each ended last since it does; of a job of a group that the
 * channel's caller may not see nothing is told.
 */
export async function readUpstreams(
  channel: Channel,
  jobId: number,
  upstreams: readonly Upstream[],
): Promise<UpstreamFacts[]> {
  if (upstreams.length === 0) return [];
  const sql = `/* whyJob upstreams */ ${upstreams.map(() => selectEnds).join(' UNION ALL ')}`;
  const keys = upstreams.flatMap(({ job }) => [job, jobId, job, endsMax, jobId, job]);
  const rows = await channel.rows(endRow, sql, keys);
  const seen = channel.by?.groups ?? null;
  const columns = seen === null ? null : columnsOfGroups(seen);
  return upstreams.map((upstream): UpstreamFacts => {
    const ends = rows.filter((row) => row.upstream === upstream.job);
    const [first] = ends;
    const isShown = columns === null || (first !== undefined && columns.includes(first.jobGroup));
    if (!isShown) return { ...upstream, isShown, isCut: false, last: null };
    const [latest] = ends.filter((row) => row.isEnd).sort(latestFirst);
    const { endedMs, result } = latest ?? { endedMs: null, result: null };
    const last = endedMs === null || result === null ? null : { result, endedMs };
    return { ...upstream, isShown, isCut: last === null && ends.length === endsMax, last };
  });
}

type EndRow = ReturnType<typeof endRow>;
const latestFirst = (a: EndRow, b: EndRow) => (b.endedMs ?? 0) - (a.endedMs ?? 0);

/** Rows of ticks that were skipped or missed are no ends: as many are looked through. */
const endsMax = 20;

const endRow = rowOf({
  upstream: text,
  jobGroup: text,
  isEnd: flag,
  result: nullable(wordOf<RunResult>()),
  endedMs: nullable(instantMs),
});
/** The window first, by the index: else all rows of the upstream are read and sorted. */
const selectEnds = `(SELECT chain_link.upstream, IFNULL(target.job_group, '') AS job_group,
    IFNULL(${isEnd}, 0) AS is_end, run.result, run.ended_at AS ended
  FROM chain_link JOIN job ON job.name = chain_link.upstream AND job.removed_no = 0
    LEFT JOIN target ON target.target_id = job.target_id
    LEFT JOIN (SELECT run_id FROM run
      WHERE job_id = (SELECT job_id FROM job WHERE name = ? AND removed_no = 0)
        AND ended_at >= (SELECT linked_at FROM chain_link WHERE job_id = ? AND upstream = ?)
      ORDER BY ended_at DESC, run_id DESC LIMIT ?) AS recent ON TRUE
    LEFT JOIN run ON run.run_id = recent.run_id
  WHERE chain_link.job_id = ? AND chain_link.upstream = ?)`;
