import { OneTimeLogin } from '../../http/authentication/oneTimeLogin.ts';
import { isLoopback } from '../../http/server/openListener.ts';

/**
 * By this `statecron up` says to its node that it shows where the page is, and whose rights the
 * link gives: the id of a token, which is no secret; empty: nobody's. The node makes the code of
 * the link itself: what it is started with, its jobs can read.
 */
export const pageTokenVariable = 'STATECRON_PAGE_TOKEN_ID';

interface PageLink {
  readonly oneTime: OneTimeLogin | null;
  /** What is said of an address that is listened on; null: nothing. */
  lineOf(url: string): string | null;
}

export function makePageLink(env: NodeJS.ProcessEnv = process.env): PageLink {
  const tokenId = env[pageTokenVariable];
  if (tokenId === undefined) return { oneTime: null, lineOf: () => null };
  const oneTime = tokenId === '' ? null : new OneTimeLogin(tokenId);
  const lineOf = (url: string): string => {
    const page = new URL(url);
    if (page.hostname === '0.0.0.0') page.hostname = '127.0.0.1';
    if (page.hostname === '[::]') page.hostname = '[::1]';
    const isHere = page.hostname === 'localhost' || isLoopback(page.hostname.replace(/[[\]]/g, ''));
    if (oneTime === null || !isHere) return `the page: ${page}`;
    page.hash = `/login/${oneTime.code}`;
    return `the page: ${page} (logs you in once, within 10 minutes, on this machine)`;
  };
  return { oneTime, lineOf };
}
