import { OperatorError } from '../../domain/errors/errors.ts';
import { placeOf } from '../../domain/job/fieldsOfDefinition.ts';
import {
  couldTake,
  mayTake,
  type Obstacle,
  obstaclesOf,
  runsBeside,
} from '../../domain/targeting/mayTake.ts';
import type { NodeFacts } from '../../domain/targeting/nodeFacts.ts';
import { anyTarget } from '../../domain/targeting/takeable.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import type { JobInForce } from '../jobs/findJob.ts';
import { readLiveNodes } from '../targeting/readLiveNodes.ts';
import { readTargeting } from '../targeting/targetingCache.ts';
import type { RequestDetails } from './requestLaunch.ts';

/** Nodes of this format of definitions or a later one know what comes with a request. */
const requestFormat = 3;

/**
 * Refuses a request that would not be run as it says: for a node that is not live or does not take
 * the job, and any with details while nodes are live that would run it without them. Resolves to
 * whose slots it is for; undefined: those of whom the cluster chooses.
 * @throws OperatorError `node_away`, `node_not_eligible`, `node_outranked`, `node_too_old`.
 */
export async function requireNode(
  connection: ChannelConnection,
  { definition, name, targetId }: JobInForce,
  { env, wantedNode }: RequestDetails,
): Promise<string | undefined> {
  if (wantedNode === null && Object.keys(env).length === 0) return undefined;
  const { nodes, version } = await readLiveNodes(connection);
  const old = nodes.find((node) => node.definitionFormat < requestFormat);
  if (old !== undefined) throw tooOld(old.nodeName);
  if (wantedNode === null) return undefined;
  const node = nodes.find(({ nodeName }) => nodeName === wantedNode);
  if (node === undefined) throw away(wantedNode, nodes);
  const { groups, placements } = await readTargeting(connection, version);
  const placement = placements.get(targetId) ?? anyTarget[1];
  if (!couldTake(placement, node, groups)) {
    throw notEligible(node, { definition, name }, obstaclesOf(placement, node, groups));
  }
  // A slot of a node's own is not for what another node shall run.
  if (definition.kind === 'every-node' || runsBeside(node, nodes)) return wantedNode;
  if (!mayTake(placement, node, nodes, groups)) throw outranked(node);
  return '';
}

function away(wantedNode: string, nodes: readonly NodeFacts[]): OperatorError {
  const names = nodes.map(({ nodeName }) => nodeName).sort();
  const message = `No node of the name ${JSON.stringify(wantedNode)} is live.`;
  const live = names.length === 0 ? 'none' : names.join(', ');
  const hint = `Live are: ${live}. See: statecron cluster`;
  return new OperatorError({ code: 'node_away', message, hint, missing: wantedNode });
}

function notEligible(
  { isCordoned, isDraining, level, nodeName }: NodeFacts,
  { definition, name }: Pick<JobInForce, 'definition' | 'name'>,
  obstacles: readonly Obstacle[],
): OperatorError {
  const because = isCordoned
    ? 'it is cordoned'
    : isDraining
      ? 'it is about to leave'
      : level === 0
        ? 'it takes no work, being of level 0'
        : obstacles.includes('user')
          ? "it does not allow the job's user"
          : `the job has ${placeOf(definition).join(', ')}`;
  const message = `The job may not run on the node ${nodeName}: ${because}.`;
  const hint = `See where it may run: statecron job show ${shellWord(name)}`;
  return new OperatorError({ code: 'node_not_eligible', message, hint });
}

function outranked({ level, nodeName }: NodeFacts): OperatorError {
  const message = `The node ${nodeName} is of level ${level}, and a node above it takes the job.`;
  const hint = 'Name a node of the lowest level that lives. See: statecron cluster';
  return new OperatorError({ code: 'node_outranked', message, hint });
}

function tooOld(nodeName: string): OperatorError {
  const without = 'would run it without --env and --node';
  const message = `The node ${nodeName} is of a version that ${without}.`;
  const hint = 'Upgrade that node first, or request a plain run.';
  return new OperatorError({ code: 'node_too_old', message, hint });
}
