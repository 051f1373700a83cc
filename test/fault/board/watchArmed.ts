import type { FaultRequest } from '../proxy/statementFault.ts';
import type { FaultWorld } from '../world/faultWorld.ts';
import type { LineFault, NodeLine } from '../world/nodeLine.ts';
import type { FaultProbe } from './faultProbe.ts';

const places = {
  batch: /^commitBatch commit$/,
  heartbeat: /renewSession/,
  join: /^joinSession commit$/,
  operation: /^(Job|Run) commit$|takeKey|keepAnswer/,
} as const;
type Place = keyof typeof places;

/** Whether a proxy has met what a kind is about: the right statement, in the right way. */
export function watchArmed(kind: string, world: FaultWorld): FaultProbe {
  const [, way = '', place = ''] = /^(?:API )?(.*) at an? (\w+)/.exec(kind) ?? [];
  const isApi = kind.startsWith('API');
  const ways = wordsOf(way);
  let isMet = false;
  const meet = (met: boolean): boolean => {
    isMet ||= met;
    return met;
  };
  const undo: (() => void)[] = [];
  const watchLine = (line: NodeLine) => {
    const arm = line.arm.bind(line);
    const watched = (request: FaultRequest): LineFault => {
      const fault = arm(request);
      const isIt = ways.includes(request.kind) && places[place as Place].test(request.statement);
      if (!isIt) return fault;
      return { ...fault, hitWithin: async (ms) => meet(await fault.hitWithin(ms)) };
    };
    undo.push(replace(line, 'arm', watched));
  };
  if (!isApi)
    for (const { line } of [...world.nodes, { line: world.operatorLine }]) watchLine(line);
  for (const { api } of isApi ? world.nodes : []) {
    if (api === null) continue;
    const arm = api.arm.bind(api);
    const watched: typeof arm = (cut) => {
      const armed = arm(cut);
      if (ways.includes(cut)) void armed.hit.then(() => meet(true));
      return armed;
    };
    undo.push(replace(api, 'arm', watched));
  }
  return {
    isOnce: true,
    isOn: async () => isMet,
    close: () => undo.forEach((each) => void each()),
  };
}

/** The ways of the proxies that a name of a kind stands for. */
function wordsOf(way: string): readonly string[] {
  if (way === 'commit delayed') return ['request delayed'];
  if (way === 'half-open') return [way, 'half-open after'];
  return [way, way.replace('lost', 'torn')];
}

function replace<T extends object, K extends keyof T>(owner: T, key: K, value: T[K]): () => void {
  const before = owner[key];
  owner[key] = value;
  return () => {
    owner[key] = before;
  };
}
