import { readTimeline } from '../../store/timeline/readTimeline.ts';
import type { SlotPlace } from '../../store/timeline/upcomingSlots.ts';
import type { timelineContract } from '../contract/timelineContract.ts';
import { timelineView } from '../views/timelineView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';
import { groupsToList } from './handling/jobAccess.ts';
import { readJobConditions } from './handling/jobConditions.ts';
import { definitionBytesMax } from './jobs/jobRoutes.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 366 * dayMs;

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
  'GET /timeline': async ({ limit = 40, after = null, bins = 100, ...query }, c) => {
    const { from: fromMs = Date.now() - dayMs, until: untilMs = Date.now() + hourMs } = query;
    const { from: _, until: __, ...conditions } = query;
    if (untilMs <= fromMs) throw badField('until', 'it has to be after `from`');
    if (untilMs - fromMs > yearMs) throw badField('from', 'the range may have 366 days at most');
    const page = { sort: 'name', after, jobsMax: limit, definitionBytesMax } as const;
    const jobs = { ...page, ...readJobConditions(c.var.caller, conditions) };
    const request = { jobs, fromMs, untilMs, bins };
    const read = await c.var.withChannel((channel) => readTimeline(channel, request));
    return timelineView(request, read);
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
