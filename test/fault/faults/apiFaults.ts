import type { RequestCut } from '../proxy/plainConnection.ts';
import type { ArmedCut } from '../proxy/plainProxy.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { type FaultKind, type FaultWorld, lastingMs, nothingToHeal } from '../world/faultWorld.ts';
import { lineFaultPlans } from './lineFaults.ts';

const cuts: readonly (readonly [string, readonly RequestCut[]])[] = [
  ['request lost', ['request lost', 'request torn']],
  ['answer lost', ['answer lost', 'answer lost', 'answer torn']],
];
const requestMsMax = 6_000;

/** Faults of the way between operators and a node's API: no node may so much as notice them. */
export function apiFaults(): FaultKind[] {
  return [...weatherFaults(), ...cuts.map(([name, ways]) => cutFault(name, ways))];
}

const hasApi = ({ ways }: FaultWorld): boolean => ways.apiPercent > 0;

function weatherFaults(): FaultKind[] {
  return lineFaultPlans.map((plan) => ({
    kind: `API ${plan.kind}`,
    takes: 'api',
    stops: 'nothing',
    isFor: hasApi,
    inject: async ({ ttlMs }, random, { api, name }) => {
      if (api === null) return null;
      const { detail, each } = plan.begin(random);
      const lastsMs = lastingMs(ttlMs, plan.lastsTtl(random.next()));
      each(api);
      return { target: `API of ${name}`, detail, lastsMs, heal: async () => api.heal() };
    },
  }));
}

/** An operation is sent to the node, and its request or its answer is lost. */
function cutFault(name: string, ways: readonly RequestCut[]): FaultKind {
  return {
    kind: `API ${name} at an operation`,
    takes: 'api',
    stops: 'nothing',
    weight: 2,
    isFor: hasApi,
    inject: async ({ operator, ways: waysOf }, random, node) => {
      const { api, name: target } = node;
      const way = waysOf.ofNode(node, random);
      if (api === null || way === null) return null;
      const cut = random.pick(ways);
      const armed = api.arm(cut);
      const fromMs = bootNowMs();
      // Without a database to choose a job in nothing is sent, and the cut is not met.
      const sent = operator.perform(random, undefined, way).catch(() => false);
      if (!(await isMet(armed))) {
        await sent;
        return null;
      }
      const said = { target: `API of ${target}`, detail: cut, fromMs };
      return { ...said, lastsMs: 0, heal: nothingToHeal };
    },
  };
}

async function isMet(armed: ArmedCut): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), requestMsMax);
  });
  const met = await Promise.race([armed.hit.then(() => true), late]);
  clearTimeout(timer);
  if (!met) armed.cancel();
  return met;
}
