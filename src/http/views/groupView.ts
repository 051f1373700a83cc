import type { z } from '@hono/zod-openapi';
import type { GroupChanged } from '../../store/groups/changeGroup.ts';
import type { LimitListed } from '../../store/groups/changeLimit.ts';
import type { GroupListed } from '../../store/groups/listGroups.ts';
import type {
  changedGroupSchema,
  groupSchema,
  limitSchema,
  shownGroupSchema,
} from '../schemas/clusterSchemas.ts';
import { isoOf } from './isoOf.ts';

export type GroupView = z.infer<typeof groupSchema>;
export type ShownGroupView = z.infer<typeof shownGroupSchema>;
export type LimitView = z.infer<typeof limitSchema>;

/** A group of nodes as the API and `--json` show it. */
export function groupView(listed: GroupListed): GroupView {
  const { group, nodes, jobs, changedMs } = listed;
  return { group, nodes: [...nodes], jobs, changedAt: isoOf(changedMs) };
}

/** What came of a change of a group. */
export function changedGroupView(changed: GroupChanged): z.infer<typeof changedGroupSchema> {
  const { group, nodes, isChanged, withdrawn } = changed;
  return { group, nodes: [...nodes], changed: isChanged, withdrawn };
}

/** How many launches a group of jobs may have at once, and has. */
export function limitView(limit: LimitListed): LimitView {
  const { group, concurrencyMax: max, held, jobs } = limit;
  return { group, max, held, jobs };
}
