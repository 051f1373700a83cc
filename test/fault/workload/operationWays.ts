import type { ClockSampler } from '../record/clockSampler.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { Random } from '../world/random.ts';
import type { Cli } from '../world/runCli.ts';
import { apiWay } from './apiWay.ts';
import { cliWay } from './cliWay.ts';
import type { OperationWay } from './operationRequest.ts';
import type { ApiTarget } from './requestApi.ts';

/** The ways by which the operations of a run go. */
export interface OperationWays {
  /** So many of a hundred are sent to a node. */
  readonly apiPercent: number;
  /** By the command line, to the database itself. */
  readonly database: OperationWay;
  /** By the API of one node, over plain requests or the command line; null: it has none. */
  ofNode(node: FaultNode, random: Random): OperationWay | null;
  /** By the database, or by any node that is live; null: none is, and it may be no other. */
  choose(random: Random): OperationWay | null;
}

export interface WaysParts {
  readonly apiPercent: number;
  readonly nodes: readonly FaultNode[];
  readonly clock: Pick<ClockSampler, 'live'>;
  readonly token: string;
  /** To the database. */
  readonly cli: Cli;
  /** To a node. */
  readonly cliTo: (url: string) => Cli;
  readonly trouble: (text: string) => void;
}

/** Of what is sent to nodes; each is a process of its own, so most are plain requests. */
const commandLineShare = 0.3;

export function makeOperationWays(parts: WaysParts): OperationWays {
  const { apiPercent, cli, cliTo, clock, nodes, token, trouble } = parts;
  const database = cliWay('database', '', cli);
  const isLive = ({ name, nodePid }: FaultNode): boolean =>
    nodePid !== null && clock.live.get(name)?.processId === nodePid;
  const targets = (): ApiTarget[] => nodes.filter(isLive).flatMap((node) => targetOf(node) ?? []);
  const pick = (random: Random, from: readonly ApiTarget[]): ApiTarget | null =>
    from.length === 0 ? null : random.pick(from);
  const to = (first: ApiTarget, random: Random): OperationWay => {
    if (random.next() < commandLineShare) {
      return cliWay('API by the command line', first.name, cliTo(first.url));
    }
    const own = random.fork();
    const others = () => targets().filter(({ name }) => name !== first.name);
    const another = () => pick(own, others());
    return apiWay({ first, another, token, random: own, trouble });
  };
  return {
    apiPercent,
    database,
    ofNode: (node, random) => {
      const target = targetOf(node);
      return target === null ? null : to(target, random);
    },
    choose: (random) => {
      if (random.next() * 100 >= apiPercent) return database;
      const target = pick(random, targets());
      if (target !== null) return to(target, random);
      return apiPercent === 100 ? null : database;
    },
  };
}

function targetOf({ name, api }: FaultNode): ApiTarget | null {
  return api === null ? null : { name, url: api.url };
}
