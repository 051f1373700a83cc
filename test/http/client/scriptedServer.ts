import http from 'node:http';
import type https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A server that gives each request the next of the answers, the last one for ever. */
export async function serveScripted(
  t: TestContext,
  answers: readonly Answer[],
  server: http.Server | https.Server = http.createServer(),
) {
  const seen: { line: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  server.on('request', (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answers[Math.min(seen.length, answers.length - 1)];
      const { method, url, headers } = request;
      seen.push({ line: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
      answer?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

export const hangUp: Answer = (request) => request.socket.destroy();
export const json =
  (status: number, value: unknown, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) => {
    const usual = { 'content-type': 'application/json', etag: '"7"' };
    response.writeHead(status, { ...usual, ...headers });
    response.end(JSON.stringify(value));
  };
export const problem = (
  status: number,
  value: object,
  headers: http.OutgoingHttpHeaders = {},
): Answer => json(status, value, { 'content-type': 'application/problem+json', ...headers });
