import { hostname } from 'node:os';
import type { HttpSettings } from '../server/httpSettings.ts';

/**
 * By which names a request may ask for this node. A page of another site that makes its own name
 * lead here (DNS rebinding) is the same site as we are to the browser; its name gives it away.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  constructor({ host, names, origins }: Pick<HttpSettings, 'host' | 'names' | 'origins'>) {
    const ofOrigins = origins.map((origin) => new URL(origin).hostname);
    const own = ['localhost', '127.0.0.1', '[::1]', hostname(), host, `[${host}]`];
    this.#names = new Set([...own, ...names, ...ofOrigins].map((name) => name.toLowerCase()));
  }

  /**
   * @param host of the URL or the Host header, with or without its port
   * @param localAddress where the connection came in: who asks for that very address names no name
   */
  has(host: string, localAddress: string | undefined): boolean {
    const match = /^(\[[0-9a-f:.]+\]|[^:@/?#\s]+)(:\d{1,5})?$/.exec(host.toLowerCase());
    const name = match?.[1]?.replace(/\.$/, '');
    if (name === undefined) return false;
    if (this.#names.has(name)) return true;
    const address = localAddress?.replace(/^::ffff:/, '');
    return address !== undefined && (name === address || name === `[${address}]`);
  }
}
