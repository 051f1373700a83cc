import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { didYouMean } from '../../domain/text/didYouMean.ts';
import { listed } from '../../domain/text/listed.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf } from '../../http/views/jobView.ts';
import { knownNodes } from '../connect/objectNames.ts';

type Targeted = Pick<JobDefinition, 'target'>;

/** A mistyped name of a node, or no node at all, makes a job that does not run. */
export async function placeWarning(operator: ApiOperator, name: string): Promise<string[]> {
  // The change is made, whether or not this can be read.
  const shown = await operator.showJob(name).catch(() => null);
  if (shown?.mayRunOn.length !== 0) return [];
  const { target = {} } = definitionOf(shown);
  const [missing] = await missingGroups(operator, [{ target }]);
  if (missing !== undefined) return [groupMissing(missing, 'it')];
  const meant = await meantNodes(operator, target.nodes ?? []);
  return [`no live node may run it as of now; see: statecron cluster${meant}`];
}

/**
 * The same of many jobs, written or not: the nodes of those of which none is live, and groups of
 * nodes that are not there.
 */
export async function placeWarnings(
  operator: ApiOperator,
  jobs: readonly Targeted[],
): Promise<string[]> {
  const wanted = jobs.map(({ target }) => target?.nodes ?? []);
  const away = wanted.some(({ length }) => length > 0) ? await notLive(operator, wanted) : [];
  const meant = await meantNodes(operator, away);
  const quoted = listed(away.map((node) => JSON.stringify(node)));
  const none = `no live node is called ${quoted} as of now; see: statecron cluster${meant}`;
  const groups = (await missingGroups(operator, jobs)).slice(0, namesMax);
  return [
    ...(away.length === 0 ? [] : [none]),
    ...groups.map((group) => groupMissing(group, 'its jobs')),
  ];
}

/** Empty where it cannot be read. */
async function notLive(
  operator: ApiOperator,
  wanted: readonly (readonly string[])[],
): Promise<string[]> {
  const read = operator.readCluster({ endedWithinMs: 0, sessionsMax: 1_000 });
  const sessions = (await read.catch(() => null))?.sessions;
  const live = sessions?.flatMap(({ node, state }) => (state === 'live' ? [node] : []));
  const isAway = (nodes: readonly string[]) =>
    nodes.every((node) => live?.includes(node) === false);
  return [...new Set(wanted.filter(isAway).flat())];
}

async function missingGroups(operator: ApiOperator, jobs: readonly Targeted[]): Promise<string[]> {
  const wanted = new Set(jobs.flatMap(({ target }) => target?.groups ?? []));
  const groups = wanted.size === 0 ? [] : await operator.listGroups().catch(() => null);
  return [...wanted].filter((each) => groups?.every(({ group }) => group !== each));
}

function groupMissing(group: string, what: string): string {
  return `there is no group of nodes ${group}, so no node may run ${what}: statecron group list`;
}

/** For the end of a message: those that never were, where others are near; else empty. */
async function meantNodes(operator: ApiOperator, nodes: readonly string[]): Promise<string> {
  const known = nodes.length === 0 ? [] : await knownNodes(operator).catch(() => []);
  const unknown = nodes.filter((node) => !known.includes(node)).slice(0, namesMax);
  const near = unknown.map((node) => {
    const meant = didYouMean(node, known);
    return meant === '' ? '' : ` There was no node ${JSON.stringify(node)}.${meant}`;
  });
  return near.some((each) => each !== '') ? `.${near.join('')}` : '';
}

const namesMax = 5;
