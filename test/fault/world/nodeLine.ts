import type { Scope } from '../../support/createDatabase.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { type FaultProxy, startFaultProxy } from '../proxy/faultProxy.ts';
import type { FaultRequest } from '../proxy/statementFault.ts';

/** The way of one user to the database: a proxy before each member, so that each can be cut. */
export interface NodeLine {
  /** The database URL, all members through their proxies, the own one first. */
  readonly url: string;
  readonly proxies: readonly FaultProxy[];
  /** The same fault waits at every member; it is done once. */
  arm(fault: FaultRequest): LineFault;
  each(change: (proxy: FaultProxy) => void): void;
}

/** An armed fault over all members. */
export interface LineFault {
  /** True as soon as it was done; false when it was not within the time, and then never is. */
  hitWithin(timeoutMs: number): Promise<boolean>;
  /** Resolves when nothing more comes of it. */
  readonly settled: Promise<void>;
  release(): void;
}

/** @param first whose member comes first, so that nodes spread over them */
export async function startNodeLine(
  scope: Scope,
  members: readonly EngineMember[],
  database: string,
  first: number,
): Promise<NodeLine> {
  const own = members.map((_, index) => members[(index + first) % members.length]);
  const proxies = await Promise.all(
    own.map((member) => startFaultProxy(scope, (member as EngineMember).userUrl(database))),
  );
  const urls = proxies.map(({ url }) => new URL(url));
  const [head] = urls;
  if (head === undefined) throw new Error('an engine without members');
  const hosts = urls.map(({ host }) => host).join(',');
  return {
    url: head.href.replace(head.host, hosts),
    proxies,
    arm: (fault) => armAll(proxies, fault),
    each: (change) => {
      for (const proxy of proxies) change(proxy);
    },
  };
}

function armAll(proxies: readonly FaultProxy[], fault: FaultRequest): LineFault {
  const armed = proxies.map((proxy) => proxy.arm(fault));
  const first = Promise.race(
    armed.map(async (one) => ((await one.hit) ? one : new Promise<never>(() => undefined))),
  );
  const hit = first.then((one) => {
    for (const other of armed) if (other !== one) other.cancel();
    return one;
  });
  return {
    hitWithin: (timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          for (const one of armed) one.cancel();
          resolve(false);
        }, timeoutMs);
        void hit.then(() => {
          clearTimeout(timer);
          resolve(true);
        });
      }),
    settled: hit.then((one) => one.settled),
    release: () => void hit.then((one) => one.release()),
  };
}
