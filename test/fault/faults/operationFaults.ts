import type { OperationWay } from '../workload/operationRequest.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultKind, FaultWorld, Injection } from '../world/faultWorld.ts';
import type { NodeLine } from '../world/nodeLine.ts';
import type { Random } from '../world/random.ts';
import {
  injectionOf,
  isHit,
  type Mode,
  type ModeRequest,
  rareMsMax,
  requestOf,
  statementModes,
} from './statementModes.ts';

/** Faults at the statements of what operators request, by either way. */
export function operationFaults(): FaultKind[] {
  return statementModes.flatMap((mode) => [operationFault(mode), apiOperationFault(mode)]);
}

function operationFault(mode: Mode): FaultKind {
  return {
    kind: `${mode} at an operation`,
    takes: 'operator',
    // It stops itself at most; a COMMIT that is late keeps a stripe from the nodes meanwhile.
    stops: 'node',
    needs: ['operations'],
    isFor: ({ ways }) => ways.apiPercent < 100,
    inject: async (world, random) => {
      const { operatorLine: line, ways } = world;
      const statement = random.pick(operationCommits);
      const request = requestOf(mode, random, statement, [300, 2_500]);
      return atOperation(world, random, { line, way: ways.database, request, target: 'operator' });
    },
  };
}

/** The same between a node that carries out an operation and the database. */
function apiOperationFault(mode: Mode): FaultKind {
  return {
    kind: `${mode} at an operation of an API`,
    takes: 'node',
    stops: 'node',
    isFor: ({ ways }) => ways.apiPercent > 0,
    inject: async (world, random, node) => {
      const way = world.ways.ofNode(node, random);
      if (way === null) return null;
      const { line, name: target } = node;
      const statement = random.pick([...operationCommits, '/* takeKey */', '/* keepAnswer */']);
      const request = requestOf(mode, random, statement, [300, 2_500]);
      return atOperation(world, random, { line, way, request, target });
    },
  };
}

/** Job and Run: the last letters of every operation's name before its COMMIT. */
const operationCommits = ['Job commit', 'Job commit', 'Run commit'] as const;

interface OperationPlan {
  readonly line: NodeLine;
  readonly way: OperationWay;
  readonly request: ModeRequest;
  readonly target: string;
}

/** Asks for an operation that comes to the statement, and waits until the fault has met it. */
async function atOperation(
  { operator }: FaultWorld,
  random: Random,
  { line, way, request, target }: OperationPlan,
): Promise<Injection | null> {
  const { statement } = request;
  const kinds = statement === 'Run commit' ? (['stop'] as const) : operationKinds;
  const fault = line.arm(request);
  // Without a database to choose a job in nothing is sent, and the fault is not met.
  const sent = operator.perform(random, kinds, way).catch(() => false);
  if (!(await isHit(line, fault, rareMsMax))) {
    await sent;
    return null;
  }
  const detail = `${statement}: ${request.kind}`;
  return { ...injectionOf(line, request, { detail, fromMs: bootNowMs() }), target };
}

const operationKinds = ['edit', 'edit', 'pause', 'run', 'add', 'remove'] as const;
