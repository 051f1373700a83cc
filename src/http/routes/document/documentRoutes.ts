import { createRoute } from '@hono/zod-openapi';
import { type Api, needs } from '../../authentication/api.ts';
import { type ApiDocument, apiDocument } from './apiDocument.ts';
import { docsPage, docsStyle } from './docsPage.ts';

const documentRoute = createRoute({
  method: 'get',
  path: '/openapi.json',
  hide: true,
  ...needs('anyone'),
  responses: { 200: { description: 'The OpenAPI 3.1 document of this API.' } },
});

const pageRoute = createRoute({
  method: 'get',
  path: '/docs',
  hide: true,
  ...needs('anyone'),
  responses: { 200: { description: 'The same for people.' } },
});

const styleRoute = createRoute({
  method: 'get',
  path: '/docs/style.css',
  hide: true,
  ...needs('anyone'),
  responses: { 200: { description: 'How the page looks.' } },
});

/** The page has no script, and loads nothing from anywhere else. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
    "form-action 'none'",
} as const;

/** `/openapi.json` and `/docs`; to be added after all other routes are, or at any time before. */
export function addDocumentRoutes(api: Api, version: string): void {
  let made: ReturnType<typeof bytesOf> | null = null;
  const make = () => {
    // Not before it is asked for: then all routes are there.
    made ??= bytesOf(apiDocument(api, version));
    return made;
  };
  api.openapi(documentRoute, (c) =>
    c.body(make().json, 200, { 'content-type': 'application/json' }),
  );
  api.openapi(pageRoute, (c) => c.body(make().page, 200, pageHeaders));
  api.openapi(styleRoute, (c) =>
    c.body(docsStyle, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
}

/** As bytes: what waits in a connection that nobody reads is the same for all of them, once. */
function bytesOf(document: ApiDocument) {
  const encoder = new TextEncoder();
  return {
    json: encoder.encode(JSON.stringify(document)),
    page: encoder.encode(docsPage(document)),
  };
}
