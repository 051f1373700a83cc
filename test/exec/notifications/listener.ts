import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../../support/createDatabase.ts';

/** A request as it came. */
export interface Heard {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  readonly heard: readonly Heard[];
}

/** A real HTTP server on loopback that notes what it hears; `answer` says 204 unless told. */
export async function listen(
  scope: Scope,
  answer: (response: ServerResponse, heard: Heard, count: number) => void = (response) => {
    response.writeHead(204).end();
  },
  host = '127.0.0.1',
): Promise<Listener> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      answer(response, one, heard.length);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  scope.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}/`, port, heard };
}
