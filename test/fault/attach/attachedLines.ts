import type { Scope } from '../../support/createDatabase.ts';
import type { FaultEngine } from '../engines/faultEngine.ts';
import { type NodeLine, startNodeLine } from '../world/nodeLine.ts';
import { type FoundNode, findNodes } from './findNodes.ts';
import { refusal } from './refusal.ts';
import { type Waiting, waitBefore } from './waitBefore.ts';

/** The nodes of a cluster, and the ways that lead through proxies of the run. */
export interface AttachedLines {
  readonly nodes: readonly FoundNode[];
  lineOf(name: string): NodeLine;
  /** Why there are no faults between nodes and database; null: every node has a proxy. */
  readonly lacksProxies: string | null;
}

/**
 * Starts a proxy for each node that is to have one, and waits until they are live behind them.
 * @param names of nodes that are started, or started anew, with the URL that is told here
 */
export async function startAttachedLines(
  scope: Scope,
  engine: FaultEngine,
  names: readonly string[],
  waiting: Waiting,
): Promise<AttachedLines> {
  const database = await engine.createDatabase();
  const lines = new Map<string, NodeLine>();
  for (const name of names) {
    const line = await startNodeLine(scope, engine.members, database, 0);
    lines.set(name, line);
    waiting.say(`start ${name} with STATECRON_DATABASE_URL='${line.url}'`);
  }
  const url = engine.members[0]?.adminUrl() ?? '';
  const nodes = await untilBehind(url, lines, waiting);
  const without = nodes.filter(({ name }) => !lines.has(name)).map(({ name }) => name);
  return {
    nodes,
    lineOf: (name) => lines.get(name) ?? straightLine(url),
    lacksProxies:
      without.length === 0
        ? null
        : `not every node goes through a proxy of this run (--proxies ${without.join(',')})`,
  };
}

function untilBehind(
  url: string,
  lines: ReadonlyMap<string, NodeLine>,
  waiting: Waiting,
): Promise<FoundNode[]> {
  return waitBefore(waiting, async () => {
    const nodes = await findNodes(url).catch((error: { code?: string }) => {
      if (lines.size > 0 && error.code === 'no_nodes') return [];
      throw error;
    });
    const live = new Set(nodes.map(({ name }) => name));
    const missing = [...lines].flatMap(([name, { proxies }]) => {
      const isBehind = proxies.some((proxy) => proxy.connections() > 0);
      return isBehind && live.has(name) ? [] : [name];
    });
    if (missing.length === 0) return { found: nodes };
    return {
      waitsFor: `waiting until they are live: ${missing.join(', ')}`,
      late: refusal(
        'nodes_missing',
        `Not live behind their proxies after ten minutes: ${missing.join(', ')}.`,
        'Start each with the STATECRON_DATABASE_URL that is told for it.',
      ),
    };
  });
}

/** The way of a node that was started without a proxy: nothing can be done to it. */
function straightLine(url: string): NodeLine {
  return {
    url,
    proxies: [],
    arm: () => ({
      hitWithin: async () => false,
      settled: Promise.resolve(),
      release: () => undefined,
    }),
    each: () => undefined,
  };
}
