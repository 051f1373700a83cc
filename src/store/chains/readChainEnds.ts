import type { RunResult } from '../../domain/run/run.ts';
import { endsOfResult } from '../../domain/run/startsFollower.ts';
import type { Channel } from '../connection/channel.ts';
import { instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

const chainEnd = rowOf({
  jobId: integer,
  /** Null: the follower has no slot. */
  stripe: nullable(integer),
  upstream: text,
  launchId: text,
  result: wordOf<RunResult>(),
  endedMs: instantMs,
});
/** An end of an upstream job that has not started its follower yet. */
export type ChainEnd = ReturnType<typeof chainEnd>;

interface ChainEnds {
  readonly ends: readonly ChainEnd[];
  /** When it was looked; null: no job follows another. */
  readonly lookedMs: number | null;
  /** False: there was more than one look takes. */
  readonly isComplete: boolean;
}

const endsMax = 500;

/**
 * An unlocked look for ends that have not been dealt with. The history is the outbox: a run's row
 * is written by the transaction that ends it, whichever arrow and version of a node that is, so no
 * end can be lost between the two jobs. What was dealt with has a row in `launch_request`.
 */
export async function readChainEnds(channel: Channel): Promise<ChainEnds> {
  const [clock] = await channel.rows(chainClock, selectClock);
  if (clock === undefined || clock.sweptUntilMs === null) {
    return { ends: [], lookedMs: null, isComplete: true };
  }
  const ends = await channel.rows(chainEnd, selectEnds, [endsMax]);
  return { ends, lookedMs: clock.nowMs, isComplete: ends.length < endsMax };
}

/**
 * Remembers how far every edge has been looked at, when all that the look found has been delivered.
 * Not at each look: a small step back costs less than a write a second.
 */
export function keepSweep(channel: Channel, lookedMs: number): Promise<number> {
  const lookedAt = new Date(lookedMs);
  return channel.change(moveSweeps, [lookedAt, lookedAt]);
}

/** The request by which the end of an upstream's launch starts a follower. */
export function chainRequestId(launchId: string): string {
  return `chain:${launchId}`;
}

const chainClock = rowOf({ sweptUntilMs: nullable(instantMs), nowMs: instantMs });
const selectClock = `/* readChainEnds clock */ SELECT MIN(swept_until) AS swept_until, NOW(3) AS now
  FROM chain_link`;
/** Whether a run's row is the end of an upstream job that something may follow on. */
export const isEnd = `run.is_final = 1 AND run.launch_id IS NOT NULL
    AND run.started_at IS NOT NULL AND (run.node_name = '' OR job.every_node = 1)`;
const startsOfResult = Object.entries(endsOfResult)
  .map(([result, ends]) => `WHEN '${result}' THEN chain_link.wanted IN ('${ends.join("', '")}')`)
  .join('\n      ');
/**
 * Two minutes and the longest TTL behind the last sweep: an end is recorded later by as much as its
 * node was out of contact, and as the waits of the transaction. A clock that was set back is
 * followed.
 * Nothing follows on a run beside the one of the node that was chosen: that one decides.
 */
const selectEnds = `/* readChainEnds */ SELECT STRAIGHT_JOIN chain_link.job_id, chain_link.upstream,
    run.launch_id, run.result, run.ended_at AS ended,
    (SELECT MIN(slot.stripe) FROM slot WHERE slot.job_id = chain_link.job_id) AS stripe
  FROM chain_link
    JOIN job ON job.name = chain_link.upstream AND job.removed_no = 0
    JOIN run ON run.job_id = job.job_id AND run.ended_at >= chain_link.linked_at
      AND run.ended_at >= LEAST(chain_link.swept_until, NOW(3))
        - INTERVAL 1000 * (120000 + (SELECT IFNULL(MAX(ttl_ms), 0) FROM session
          WHERE reaped_at IS NULL)) MICROSECOND
    LEFT JOIN launch_request ON launch_request.job_id = chain_link.job_id
      AND launch_request.request_id = CONCAT('chain:', run.launch_id)
  WHERE launch_request.job_id IS NULL AND ${isEnd} AND CASE run.result
      ${startsOfResult} ELSE 0 END
  ORDER BY run.ended_at LIMIT ?`;
const moveSweeps = `/* keepSweep */ UPDATE chain_link SET swept_until = ?
  WHERE swept_until < CAST(? AS DATETIME(3)) - INTERVAL 10 SECOND`;
