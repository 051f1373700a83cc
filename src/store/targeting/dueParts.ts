import type { Horizon } from '../../domain/commit/nodeStore.ts';
import { stripesApart } from '../../domain/run/share.ts';
import type { Parameter } from '../connection/queryable.ts';
import { placeOfSlot } from '../slots/placeOfSlot.ts';

/** Some of the idle slots that a look finds: those of an index to which the condition applies. */
interface DuePart {
  readonly index: string;
  readonly condition: string;
  readonly parameters: readonly Parameter[];
}

/** A query with its parameters. */
export interface Query {
  readonly sql: string;
  readonly parameters: Parameter[];
}

/**
 * What a look finds: of the own share to the far horizon, of every slot to the near one. The parts
 * come one after the other, each from its earliest on, and each up to `slotsMax`: `earliestOf` puts
 * them in order, for which the server would write them down first, and read them twice more.
 * @param select what is read of the idle slots of an index, from the columns up to the WHERE
 * @param also what applies besides, with its parameters
 */
export function selectDue(
  horizon: DueHorizon,
  select: (index: string) => string,
  also: Query,
  slotsMax: number,
): Query {
  const parts = dueParts(horizon);
  const each = parts.map(
    ({ index, condition }) => `(SELECT ${select(index)} WHERE slot.state = 'idle' AND ${condition}
    AND ${also.sql} ORDER BY slot.next_run_at LIMIT ?)`,
  );
  const parameters = parts.flatMap((part) => [...part.parameters, ...also.parameters, slotsMax]);
  return { sql: each.join(' UNION ALL '), parameters };
}

/** The first of what the parts have found. */
export function earliestOf<Due extends { readonly nextRunMs: number | null }>(
  found: readonly Due[],
  slotsMax: number,
): Due[] {
  const inOrder = [...found].sort((one, other) => (one.nextRunMs ?? 0) - (other.nextRunMs ?? 0));
  return inOrder.slice(0, slotsMax);
}

export type DueHorizon = Pick<Horizon, 'share' | 'aheadMs' | 'aheadAnywhereMs'>;

/**
 * A share of many stripes is a part of all that is due, which is read in order; otherwise each of
 * its stripes is read by itself. So the looks of a thousand nodes pass over what is due within 3 s,
 * at the most, and not over what all of them have within their horizons.
 */
function dueParts({ share, aheadMs, aheadAnywhereMs }: DueHorizon): DuePart[] {
  const [ahead, anywhere] = [aheadMs * 1000, aheadAnywhereMs * 1000];
  const stripes = stripesApart(share);
  if (stripes === null) {
    const condition = `${isDue} AND (${isOwn} OR ${isDue})`;
    const parameters = [ahead, share.from, share.until, anywhere];
    return [{ index: 'slot_by_due', condition, parameters }];
  }
  const own = stripes.map((stripe): DuePart => {
    const condition = `slot.session_id IS NULL AND slot.stripe = ? AND ${isDue} AND ${isOwn}`;
    const parameters = [stripe, ahead, share.from, share.until];
    return { index: 'slot_by_session', condition, parameters };
  });
  const others = {
    index: 'slot_by_due',
    condition: `${isDue} AND NOT (${isOwn})`,
    parameters: [Math.min(ahead, anywhere), share.from, share.until],
  };
  return [...own, others];
}

const isDue = 'slot.next_run_at <= NOW(3) + INTERVAL ? MICROSECOND';
const isOwn = `${placeOfSlot} >= ? AND ${placeOfSlot} < ?`;
