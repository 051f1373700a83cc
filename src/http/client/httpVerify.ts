import { formatSince } from '../../domain/verify/since.ts';
import type { VerifyProgress } from '../../store/verify/verifyJobs.ts';
import type { VerifyLine } from '../contract/clusterContract.ts';
import type { ApiOperator } from '../views/apiOperator.ts';
import type { NodeClient } from './nodeClient.ts';
import { faultOfProblem } from './nodeFaults.ts';
import { requestOf } from './requestOf.ts';

/** A verification by a node, which reports its progress. */
export function httpVerify(client: NodeClient): Pick<ApiOperator, 'verifyCluster'> {
  return {
    verifyCluster: async ({ job, since, progress = () => undefined } = {}) => {
      const query = { job, since: since && formatSince(since) };
      const onBytes = progressReader(progress);
      const { bytes } = await client.bytes(requestOf('GET /verify', query, { onBytes }));
      const last = bytes.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
      const line = JSON.parse(last) as VerifyLine;
      if ('verification' in line) return line.verification;
      throw 'problem' in line
        ? faultOfProblem(line.problem, line.problem.status)
        : new Error('the verification was cut off before its end');
    },
  };
}

/** A line may come in pieces; one that was cut off, as its answer was, says nothing. */
function progressReader(progress: (far: VerifyProgress) => void): (chunk: Buffer) => void {
  let rest = '';
  return (chunk) => {
    const lines = `${rest}${chunk.toString('utf8')}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const match = /^\{"progress":\{"jobs":(\d+),"runs":(\d+)\}\}$/.exec(line);
      if (match !== null) progress({ jobs: Number(match[1]), runs: Number(match[2]) });
    }
  };
}
