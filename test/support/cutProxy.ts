import { startFaultProxy } from '../fault/proxy/faultProxy.ts';
import type { Scope } from './createDatabase.ts';

/** What happens to the statement that the cut waits for. */
export type Cut = 'request lost' | 'reply lost';

export interface CutProxy {
  /** The database URL that leads through the proxy. */
  readonly url: string;
  /** Cuts the connection at the next statement that contains the text; resolves when it was cut. */
  cutAt(text: string, cut: Cut): Promise<void>;
  /** The same, if one comes within the time; false: none did, and none will be cut any more. */
  cutWithin(text: string, cut: Cut, withinMs: number): Promise<boolean>;
  /**
   * Keeps the reply to the next statement that contains the text; resolves, when the server has
   * done it, to a function that lets the reply go.
   */
  holdAt(text: string): Promise<() => void>;
  /** Cuts every connection and takes no more, like a database that is gone. */
  vanish(): void;
  /** The same for a while: until the function that it returns is called. */
  goAway(): () => void;
}

/** The few things that most tests ask of the fault proxy, as functions that wait for one event. */
export async function startCutProxy(scope: Scope, databaseUrl: string): Promise<CutProxy> {
  const proxy = await startFaultProxy(scope, databaseUrl);
  const vanish = () => {
    proxy.refuse(true);
    proxy.cutAll();
  };
  return {
    url: proxy.url,
    vanish,
    goAway: () => {
      vanish();
      return () => proxy.refuse(false);
    },
    cutAt: async (text, cut) => void (await proxy.arm({ kind: cut, statement: text }).hit),
    cutWithin: async (text, cut, withinMs) => {
      const armed = proxy.arm({ kind: cut, statement: text });
      const timer = setTimeout(() => armed.cancel(), withinMs);
      return armed.hit.finally(() => clearTimeout(timer));
    },
    holdAt: async (text) => {
      const armed = proxy.arm({ kind: 'reply delayed', statement: text });
      await armed.hit;
      return () => armed.release();
    },
  };
}
