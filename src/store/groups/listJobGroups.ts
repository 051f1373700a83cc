import type { Channel } from '../connection/channel.ts';
import { only, text } from '../rows/row.ts';

/** More than anybody chooses from a list. */
const groupsMax = 1_000;

/** The names of the groups of jobs that have any; `default` is that of jobs without. */
export function listJobGroups(channel: Channel): Promise<string[]> {
  return channel.rows(only(text), selectGroups, [groupsMax]);
}

const isThere = 'job.removed_no = 0';
const selectGroups = `/* listJobGroups */ SELECT 'default' AS 'group' FROM DUAL
  WHERE EXISTS (SELECT 1 FROM job WHERE job.target_id = 0 AND ${isThere})
  UNION SELECT IFNULL(NULLIF(job_group, ''), 'default') FROM target
  WHERE EXISTS (SELECT 1 FROM job WHERE job.target_id = target.target_id AND ${isThere})
  ORDER BY 1 LIMIT ?`;
