import { lastResults } from '../../../domain/run/run.ts';
import type { Caller } from '../../authentication/api.ts';
import type { JobConditions } from '../../contract/jobContract.ts';
import { withoutUndefined } from './badField.ts';
import { groupsToList } from './jobAccess.ts';
import { readResults } from './readResults.ts';

/** Which jobs a query is about, as the store has it: none that the caller may not see. */
export function readJobConditions(caller: Caller, query: JobConditions) {
  const { text, prefix, name: names, group, tag: tags, paused: isPaused, state, node } = query;
  const ends = query.lastResult && readResults('lastResult', query.lastResult, lastResults);
  return {
    ...withoutUndefined({ text, prefix, names, tags, isPaused, state, node, lastResults: ends }),
    ...groupsToList(caller, group),
  };
}
