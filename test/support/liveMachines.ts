import type { liveContract } from '../../src/http/contract/machineContract.ts';
import type { AnswerOf } from '../../src/http/contract/routeContract.ts';

/** What `GET /machines/live` answers. */
export type Live = AnswerOf<(typeof liveContract)['GET /machines/live']>;

/** How often the slots of the shown nodes have taken a transition. */
export function slotsThat(event: string, { transitions }: Pick<Live, 'transitions'>): number {
  const all = transitions.filter((each) => each.machine === 'slot' && each.event === event);
  return all.reduce((sum, { count }) => sum + count, 0);
}
