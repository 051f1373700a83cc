import { lastResults } from '../../../domain/run/run.ts';
import type { Caller } from '../../authentication/api.ts';
import type { JobConditions } from '../../contract/jobContract.ts';
import { withoutUndefined } from './badField.ts';
import { groupsToList } from './jobAccess.ts';
import { readResults } from './readResults.ts';

/** Which jobs a query is about, as the store has it: none that the caller may not see. */
export function readJobConditions(caller: Caller, query: JobConditions) {
  const { name: names, group, tag: tags, paused: isPaused } = query;
  const { text, prefix, state, node, reason } = query;
  const ends = query.lastResult && readResults('lastResult', query.lastResult, lastResults);
  const given = { text, prefix, names, tags, isPaused, state, node, reason, lastResults: ends };
  return {
    ...withoutUndefined(given),
    ...groupsToList(caller, group),
  };
}
