import type { GroupChanged } from '../../store/groups/changeGroup.ts';
import type { LimitListed } from '../../store/groups/changeLimit.ts';
import type { GroupListed } from '../../store/groups/listGroups.ts';
import type { ChangedGroupView, GroupView, LimitView } from '../contract/groupContract.ts';
import { isoOf } from './isoOf.ts';

/** A group of nodes as the API and `--json` show it. */
export function groupView({ group, nodes, jobs, changedMs }: GroupListed): GroupView {
  return { group, nodes, jobs, changedAt: isoOf(changedMs) };
}

/** What came of a change of a group. */
export function changedGroupView({ isChanged, ...same }: GroupChanged): ChangedGroupView {
  return { ...same, changed: isChanged };
}

/** How many launches a group of jobs may have at once, and has. */
export function limitView({ concurrencyMax: max, ...same }: LimitListed): LimitView {
  return { ...same, max };
}
