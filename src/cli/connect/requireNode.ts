import { OperatorError } from '../../domain/errors/errors.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';

/**
 * A node that nothing is found of may be or have been there; one that never was is mistyped.
 * @throws OperatorError `node_missing`.
 */
export async function requireNode(operator: ApiOperator, name: string): Promise<void> {
  const { sessions } = await operator.readCluster({ endedWithinMs: yearMs, sessionsMax });
  if (sessions.some(({ node }) => node === name)) return;
  throw new OperatorError({
    code: 'node_missing',
    message: `There was no node ${JSON.stringify(name)}.`,
    hint: 'See the nodes of the last days: statecron cluster --ended 30d',
    missing: name,
  });
}

const yearMs = 365 * 24 * 3_600_000;
const sessionsMax = 1_000;
