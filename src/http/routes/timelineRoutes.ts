import type { SlotPlace } from '../../store/timeline/upcomingSlots.ts';
import type { timelineContract } from '../contract/timelineContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';
import { groupsToList } from './handling/jobAccess.ts';

const hourMs = 3_600_000;

export const timelineRoutes: Handlers<typeof timelineContract> = {
  'GET /upcoming': async ({ within: withinMs = hourMs, limit = 50, group, ...query }, c) => {
    const { allTicks: isEachTick, after } = query;
    if (isEachTick && after !== undefined) {
      throw badField('after', 'with allTicks there is one page; narrow `within` instead');
    }
    const request = {
      ...{ withinMs, launchesMax: limit, after: after === undefined ? null : readPlace(after) },
      ...{ ...withoutUndefined({ isEachTick }), ...groupsToList(c.var.caller, group) },
    };
    return c.var.operate((operator) => operator.readUpcoming(request));
  },
};

/** As `upcomingView` writes it; a node's name may have colons, and stands at the end. */
function readPlace(after: string): SlotPlace {
  const match = /^(\d{1,15}):(\d{1,3}):(\d{1,10}):(\d{1,15}):(.{0,64})$/u.exec(after);
  if (match === null) throw badField('after', 'the `next` of the page before is wanted');
  const [, due, stripe, target, slot, nodeName = ''] = match;
  const numbers = { dueMs: Number(due), stripe: Number(stripe), targetId: Number(target) };
  return { ...numbers, slotId: Number(slot), nodeName };
}
