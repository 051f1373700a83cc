import type { Context } from 'hono';
import type { Api, ApiEnv } from '../../authentication/api.ts';
import { pageContract } from '../../contract/nodeContract.ts';
import { refusal } from '../../problems/refusals.ts';
import { addRoutes } from '../handling/addRoutes.ts';
import { type PageFile, readPageFiles } from './pageFiles.ts';

/**
 * Nothing is loaded from anywhere else, no text becomes a script or markup. A worker has the policy
 * of its own file, so every file has this one. `events` makes the URL of the worker, and nothing
 * else may make what a browser executes.
 */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'"],
  ...["connect-src 'self'", "worker-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", 'trusted-types events'],
].join('; ');

/** The page, at `/` of every node: what it shows it reads by `/api/v1`, with its reader's login. */
export function addPageRoutes(api: Api): void {
  const { assets, index } = readPageFiles();
  addRoutes(
    api,
    pageContract,
    {
      'GET /': async (_, c) => {
        if (index === null) throw refusal('path_missing', 'The page is not built.', buildIt);
        return send(c, c.var.client.person === null ? index : ofPerson(index), 'no-cache');
      },
      'GET /assets/{asset}': async ({ asset }, c) => {
        const file = assets.get(asset);
        if (file === undefined) throw refusal('path_missing', 'There is no such file.', loadAgain);
        return send(c, file, 'public, max-age=31536000, immutable');
      },
    },
    '',
  );
}

const buildIt = 'Build it with: npm run build';
const loadAgain = 'Load the page anew: this node has another version of it.';

/** Tells the page that its reader has logged in at a proxy, and needs no login here. */
function ofPerson({ plain, type }: PageFile): PageFile {
  const marked = decoder.decode(plain).replace('<html', '<html data-login="proxy"');
  return { type, plain: encoder.encode(marked), gzip: null, brotli: null };
}

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

function send(
  c: Context<ApiEnv>,
  { type, plain, gzip, brotli }: PageFile,
  cacheControl: string,
): Response {
  const accepted = c.req.header('accept-encoding') ?? '';
  const takes = (coding: string) =>
    new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted);
  const [bytes, coding] =
    brotli !== null && takes('br')
      ? [brotli, 'br']
      : gzip !== null && takes('gzip')
        ? [gzip, 'gzip']
        : [plain, null];
  return c.body(bytes, 200, {
    ...{ 'content-type': type, 'content-security-policy': policy, 'cache-control': cacheControl },
    vary: 'Accept-Encoding',
    ...(coding === null ? {} : { 'content-encoding': coding }),
  });
}
