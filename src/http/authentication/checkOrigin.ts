import type { HonoRequest } from 'hono';
import { refusal } from '../problems/refusals.ts';

/**
 * Refuses a change that a browser requests with its cookie unless the page is our own. SameSite
 * keeps the cookie from other sites, not from other ports and subdomains of this one; old browsers
 * know neither it nor Sec-Fetch-Site; so all three have to agree. An Origin is sent with every POST
 * by every browser that has cookies of this kind.
 * @param origins where browsers reach this node through a proxy
 * @throws OperatorError `origin_forbidden` (403).
 */
export function checkOrigin(request: HonoRequest, origins: readonly string[]): void {
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw forbidden(`a ${site} page`);
  const origin = request.header('origin');
  if (origin === undefined) throw forbidden('no page at all (there is no Origin)');
  if (origins.includes(origin)) return;
  const host = request.header('host')?.toLowerCase();
  if (origin.toLowerCase() !== `http://${host}`) throw forbidden(`a page of ${origin}`);
}

function forbidden(where: string) {
  return refusal('origin_forbidden', `A login of a browser is not for ${where.slice(0, 200)}.`);
}
