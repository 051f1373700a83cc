import type { Context } from 'hono';

/** Says where the next page is (RFC 8288), for clients that follow links. */
export function nextLink(c: Context, { next = null }: { readonly next?: string | null }): void {
  if (next === null) return;
  const url = new URL(c.req.url);
  url.searchParams.set('after', next);
  // Relative: the name that the request came by may be a proxy's.
  c.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
