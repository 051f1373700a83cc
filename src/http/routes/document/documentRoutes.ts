import type { Api } from '../../authentication/api.ts';
import { documentContract } from '../../contract/nodeContract.ts';
import { addRoutes, type Handlers } from '../handling/addRoutes.ts';
import { addExamples } from './addExamples.ts';
import { addProblems } from './addProblems.ts';
import { type ApiDocument, apiDocument } from './apiDocument.ts';
import { docsPage } from './docsPage.ts';
import { docsStyle } from './docsStyle.ts';

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
    // Not before the first request: then all routes are there.
    made ??= bytesOf(addProblems(addExamples(apiDocument(api, version))));
    return made;
  };
  const json = { 'content-type': 'application/json' };
  const css = { 'content-type': 'text/css; charset=utf-8' };
  const handlers: Handlers<typeof documentContract> = {
    'GET /openapi.json': async (_, c) => c.body(make().json, 200, json),
    'GET /docs': async (_, c) => c.body(make().page, 200, pageHeaders),
    'GET /docs/style.css': async (_, c) => c.body(docsStyle, 200, css),
  };
  addRoutes(api, documentContract, handlers, '');
}

/** As bytes: what waits in a connection that nobody reads is the same for all of them, once. */
function bytesOf(document: ApiDocument) {
  const encoder = new TextEncoder();
  return {
    json: encoder.encode(JSON.stringify(document)),
    page: encoder.encode(docsPage(document)),
  };
}
