import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boardView } from './boardView.ts';
import type { FaultBoard } from './faultBoard.ts';

export interface BoardServer {
  /** Whoever has it may press: it has a random token that no other page can know. */
  readonly url: string;
  /** Pages that are open. */
  watchers(): number;
  /** Whether the report has been read. */
  isReportRead(): boolean;
  close(): Promise<void>;
}

const everyMs = 250;
const bodyBytesMax = 4_096;
const files: Readonly<Record<string, string>> = {
  '': 'board.html',
  'board.css': 'board.css',
  'board.js': 'board.js',
};
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
};
const ownPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';
  img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/** The report is one file with all that it needs, and asks nothing of anybody. */
const reportPolicy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';
  img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * Serves a board on loopback, to who has its URL.
 * @param port 0: any that is free
 */
export async function serveBoard(board: FaultBoard, port: number): Promise<BoardServer> {
  const token = randomBytes(18).toString('base64url');
  const streams = new Set<ServerResponse>();
  let isReportRead = false;
  let origin = '';
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, first, name = '', ...more] = new URL(request.url ?? '/', origin).pathname.split('/');
    const isOther = `http://${request.headers.host}` !== origin;
    if (isOther || first !== token || more.length > 0) return end(response, 404);
    if (request.method === 'POST') return await change(board, name, request, response, origin);
    if (request.method !== 'GET') return end(response, 405);
    if (name === 'events') return openStream(response, streams);
    if (name === 'report' && board.end !== null) {
      response.once('finish', () => {
        isReportRead = true;
      });
      return send(response, await readFile(board.end.report), 'html', reportPolicy);
    }
    const file = files[name];
    if (file === undefined) return end(response, 404);
    const body = await readFile(new URL(`page/${file}`, import.meta.url));
    send(response, body, file.split('.')[1] ?? '', ownPolicy);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => end(response, 500));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const telling = setInterval(() => void tell(board, streams), everyMs);
  return {
    url: `${origin}/${token}/`,
    watchers: () => streams.size,
    isReportRead: () => isReportRead,
    close: async () => {
      clearInterval(telling);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What one may ask for, each with a small JSON object. */
async function change(
  board: FaultBoard,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  origin: string,
): Promise<void> {
  // A page of another origin cannot leave its own out; whoever is no page need not name one.
  if ((request.headers.origin ?? origin) !== origin) return end(response, 403);
  const asked = await readBody(request);
  if (asked === null) return end(response, 400);
  const kind = String(asked.kind);
  const node = typeof asked.node === 'string' ? asked.node : null;
  let refusal: string | null = null;
  if (name === 'press') refusal = board.press(kind, node);
  else if (name === 'heal') board.heal(kind);
  else if (name === 'deal') board.deal(asked.on === true);
  else if (name === 'finish') board.finish();
  else return end(response, 404);
  response.statusCode = refusal === null ? 200 : 409;
  send(response, JSON.stringify({ refusal }), 'json', ownPolicy);
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  if (request.headers['content-type'] !== 'application/json') return null;
  let text = '';
  for await (const piece of request) {
    text += piece;
    if (text.length > bodyBytesMax) return null;
  }
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return null; // it is no JSON
  }
}

function send(response: ServerResponse, body: string | Buffer, type: string, policy: string): void {
  response.setHeader('Content-Type', types[type] ?? 'application/json');
  response.setHeader('Content-Security-Policy', policy.replace(/\s+/g, ' '));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
  response.end(body);
}

function end(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.statusCode = status;
  response.end();
}

function openStream(response: ServerResponse, streams: Set<ServerResponse>): void {
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-store');
  response.flushHeaders();
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

/** A page that does not read gets no more until it does. */
async function tell(board: FaultBoard, streams: ReadonlySet<ServerResponse>): Promise<void> {
  if (streams.size === 0) return;
  const text = `data: ${JSON.stringify(await boardView(board))}\n\n`;
  for (const stream of streams) if (!stream.writableNeedDrain) stream.write(text);
}
