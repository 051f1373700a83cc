import { togetherScope } from '../../../domain/job/togetherScope.ts';
import type { bulkContract } from '../../contract/jobActionContract.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { badField, withoutUndefined } from '../handling/badField.ts';
import { readPauseEnd } from './jobActionRoutes.ts';

export const bulkRoutes: Handlers<typeof bulkContract> = {
  'POST /bulk/jobs': ({ action, filter, together = false, dryRun = false, ...given }, c) => {
    const { after, expected, note, requestId = c.var.creationId, until } = given;
    const isPause = action === 'pause';
    if (together && !isPause && action !== 'resume') {
      throw badField('together', 'is for pause and resume alone');
    }
    if (note !== undefined && !isPause) throw badField('note', 'is for pause alone');
    if (until !== undefined && !isPause) throw badField('until', 'is for pause alone');
    const isDry = dryRun || (expected === undefined && after === undefined);
    c.set('isDry', isDry);
    const { group: groups, name: names, paused: isPaused, tag: tags, ...others } = filter;
    const { lastResult: lastResults, ...same } = others;
    const where = withoutUndefined({ groups, names, isPaused, tags, lastResults, ...same });
    const scope = together ? togetherScope(where) : undefined;
    const request = {
      ...{ action, filter: where, end: readPauseEnd(until), isDry },
      ...withoutUndefined({ after, expected, note, scope }),
      ...(action === 'run' ? { requestId } : {}),
    };
    return c.var.operate((operator) => operator.bulkJobs(request));
  },
};
