import type { Context } from 'hono';
import type { Api } from '../../authentication/api.ts';
import { documentContract } from '../../contract/nodeContract.ts';
import { readGuide } from '../../guide/guide.ts';
import { refusal } from '../../problems/refusals.ts';
import { addRoutes, type Handlers } from '../handling/addRoutes.ts';
import { addExamples } from './addExamples.ts';
import { addProblems } from './addProblems.ts';
import { apiDocument } from './apiDocument.ts';
import { docsPage } from './docsPage.ts';
import { docsStyle } from './docsStyle.ts';
import { guidePage } from './guidePage.ts';

/** The pages have no script, and load nothing from anywhere else. */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; " +
    "base-uri 'none'; form-action 'none'",
} as const;

const pictureHeaders = (name: string) => ({
  'content-type': name.endsWith('.png') ? 'image/png' : 'image/svg+xml',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
});

const json = { 'content-type': 'application/json' };
const css = { 'content-type': 'text/css; charset=utf-8' };

/** `/openapi.json` and `/docs`; to be added after all other routes are, or at any time before. */
export function addDocumentRoutes(api: Api, version: string): void {
  const guide = readGuide();
  const made = new Map<string, Uint8Array<ArrayBuffer>>();
  // Made once, as bytes: what waits in a connection that nobody reads is the same for all of them.
  // Not before the first request: then all routes are there.
  const send = (c: Context, name: string, headers: Headers, make: () => string) => {
    const bytes = made.get(name) ?? new TextEncoder().encode(make());
    made.set(name, bytes);
    return c.body(bytes, 200, headers);
  };
  const document = () => addProblems(addExamples(apiDocument(api, version)));
  const handlers: Handlers<typeof documentContract> = {
    'GET /openapi.json': async (_, c) =>
      send(c, 'openapi.json', json, () => JSON.stringify(document())),
    'GET /docs': async (_, c) => send(c, '', pageHeaders, () => guidePage(guide, null, version)),
    // Relative, as the links of the pages are.
    'GET /docs/': async (_, c) => c.redirect('../docs', 308),
    'GET /docs/reference': async (_, c) =>
      send(c, 'reference', pageHeaders, () => docsPage(document())),
    'GET /docs/style.css': async (_, c) => send(c, 'style.css', css, () => docsStyle),
    'GET /docs/{page}': async ({ page }, c) => {
      const picture = guide.pictures.get(page);
      if (picture !== undefined) return c.body(picture, 200, pictureHeaders(page));
      const topic = guide.topics.find(({ name }) => name === page);
      if (topic === undefined) throw refusal('path_missing', `There is no page ${page}.`, seeDocs);
      return send(c, page, pageHeaders, () => guidePage(guide, topic, version));
    },
  };
  addRoutes(api, documentContract, handlers, '');
}

type Headers = Readonly<Record<string, string>>;

const seeDocs = 'The pages that there are: /docs';
