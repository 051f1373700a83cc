import { until } from '../support/until.ts';
import type { NodeProcess } from './nodeProcess.ts';

/** Where a node's API and page are, as soon as it serves them. */
export function originOf(node: Pick<NodeProcess, 'log'>): Promise<string> {
  const listens = () => /the API listens on (http:\S+?)["\s]/.exec(node.log())?.[1];
  return until('the address of the API', listens, 120_000);
}
