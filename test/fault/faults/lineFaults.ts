import type { LineWeather } from '../proxy/plainProxy.ts';
import { type FaultKind, lastingMs } from '../world/faultWorld.ts';
import type { Random } from '../world/random.ts';

/** A fault of a whole line, whatever goes over it. */
export interface LineFaultPlan {
  readonly kind: string;
  /** How long it lasts, in TTLs, from a random number in [0, 1). */
  lastsTtl(share: number): number;
  /** Does it; tells in words what was done. */
  begin(random: Random): { detail: string; each: (proxy: LineWeather) => void };
}

/** Faults of the whole way between one node and the database. */
export function lineFaults(): FaultKind[] {
  return lineFaultPlans.map((plan) => ({
    kind: plan.kind,
    takes: 'node',
    stops: 'node',
    needs: ['proxies'],
    inject: async ({ ttlMs }, random, { line, name }) => {
      const { detail, each } = plan.begin(random);
      const lastsMs = lastingMs(ttlMs, plan.lastsTtl(random.next()));
      line.each(each);
      return {
        target: name,
        detail,
        lastsMs,
        heal: async () => line.each((proxy) => proxy.heal()),
      };
    },
  }));
}

export const lineFaultPlans: readonly LineFaultPlan[] = [
  {
    kind: 'connections cut',
    lastsTtl: () => 0,
    begin: () => ({ detail: 'all of them reset', each: (proxy) => proxy.cutAll() }),
  },
  {
    kind: 'connections refused',
    lastsTtl: (share) => 0.1 + share,
    begin: () => ({
      detail: 'reset, and new ones refused',
      each: (proxy) => {
        proxy.refuse(true);
        proxy.cutAll();
      },
    }),
  },
  {
    // In half of the cases longer than the lease: the node must be dead in time.
    kind: 'network black hole',
    lastsTtl: (share) => 0.1 + 1.6 * share,
    begin: (random) => {
      const direction = random.pick(['to server', 'to client', 'both', 'both'] as const);
      return {
        detail: `nothing passes (${direction})`,
        each: (proxy) => proxy.blackHole(direction),
      };
    },
  },
  {
    kind: 'network slow',
    lastsTtl: (share) => 0.4 + share,
    begin: (random) => {
      const delayMs = random.between(5, 40);
      return { detail: `${delayMs} ms each way`, each: (proxy) => proxy.delay(delayMs) };
    },
  },
  {
    kind: 'network throttled',
    lastsTtl: (share) => 0.4 + share,
    begin: (random) => {
      const bytes = random.between(4, 32) * 1024;
      return { detail: `${bytes} bytes a second`, each: (proxy) => proxy.throttle(bytes) };
    },
  },
];
