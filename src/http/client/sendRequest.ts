import http from 'node:http';
import https from 'node:https';

/** One request as it goes over the wire. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly agent: http.Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface NodeAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** `wasSent` false: the node cannot have heard of it. */
export type SendOutcome =
  | { readonly kind: 'answered'; readonly answer: NodeAnswer }
  | { readonly kind: 'failed'; readonly error: Error; readonly wasSent: boolean };

/** A node answers within the waits of its database; a batch of those takes longer than any. */
const answerMsMax = 90_000;
/** An address that swallows everything is given up on sooner. */
const connectMsMax = 10_000;
/** A page of jobs, each of which may have a command of a megabyte. */
const answerBytesMax = 256 * 1024 * 1024;

/**
 * Sends one request and reads its answer whole, both within bounds. Never rejects, follows no
 * redirect, and never asks again by itself. By Node's own client rather than fetch: that one can
 * be told neither an authority for certificates nor whether anything of a request was sent.
 */
export function sendRequest({ url, body, ...options }: SentRequest): Promise<SendOutcome> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    let wasSent = false;
    const sent = request(url, {
      ...options,
      headers: { ...options.headers, 'content-length': `${body?.length ?? 0}` },
    });
    const fail = (error: Error): void => {
      clearTimeout(connectTimer);
      clearTimeout(answerTimer);
      sent.destroy();
      resolve({ kind: 'failed', error, wasSent });
    };
    const connectTimer = setTimeout(
      () => fail(new Error(`no connection within ${connectMsMax / 1000} s`)),
      connectMsMax,
    );
    const answerTimer = setTimeout(
      () => fail(new Error(`no answer within ${answerMsMax / 1000} s`)),
      answerMsMax,
    );
    sent.on('socket', (socket) => {
      const ready = (): void => {
        clearTimeout(connectTimer);
        wasSent = true;
      };
      // A kept connection is there already; one that the node has closed meanwhile is no proof
      // that it heard nothing.
      if (!socket.connecting) ready();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', ready);
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      readWhole(response).then((bytes) => {
        clearTimeout(answerTimer);
        const { statusCode: status = 0, headers } = response;
        resolve({ kind: 'answered', answer: { status, headers, bytes } });
      }, fail);
    });
    sent.end(body ?? undefined);
  });
}

async function readWhole(response: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) throw new Error(`an answer of more than ${answerBytesMax} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
