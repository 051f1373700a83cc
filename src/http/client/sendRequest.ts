import http from 'node:http';
import https from 'node:https';

/** Where a node's API is, and by which token it is used. */
export interface NodeAddress {
  /** Without a path of its own it ends with `/`. */
  readonly url: URL;
  readonly token: string | null;
  /** PEM of the authority that its certificate is checked by; null: those that Node.js knows. */
  readonly authority: string | null;
}

/** One request as it goes over the wire. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly agent: http.Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Called with what comes of an answer that is no refusal, as it comes. */
  readonly onBytes: (chunk: Buffer) => void;
}

export interface NodeAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** `wasSent` false: the node cannot have received it. */
type SendOutcome =
  | { readonly kind: 'answered'; readonly answer: NodeAnswer }
  | { readonly kind: 'failed'; readonly error: Error; readonly wasSent: boolean };

/** How long nothing at all may come: a node answers within the waits of its database. */
const silenceMsMax = 90_000;
/** An address that swallows everything is given up on sooner. */
const connectMsMax = 10_000;
/** A page of jobs, each of which may have a command of a megabyte. */
const answerBytesMax = 256 * 1024 * 1024;

/**
 * Sends one request and reads its answer whole, both within bounds. Never rejects, follows no
 * redirect, and never retries by itself. By Node's own client rather than fetch: that one
 * takes neither an authority for certificates nor says whether anything of a request was sent.
 */
export function sendRequest({ url, body, onBytes, ...options }: SentRequest): Promise<SendOutcome> {
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
      () => fail(new Error(`nothing came for ${silenceMsMax / 1000} s`)),
      silenceMsMax,
    );
    sent.on('socket', (socket) => {
      const ready = (): void => {
        clearTimeout(connectTimer);
        wasSent = true;
      };
      // A kept connection is there already; one that the node has closed meanwhile is no proof
      // that it received nothing.
      if (!socket.connecting) ready();
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', ready);
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const isGood = response.statusCode === 200;
      const report = (chunk: Buffer): void => {
        answerTimer.refresh();
        if (isGood) onBytes(chunk);
      };
      readWhole(response, report).then((bytes) => {
        clearTimeout(answerTimer);
        const { statusCode: status = 0, headers } = response;
        resolve({ kind: 'answered', answer: { status, headers, bytes } });
      }, fail);
    });
    sent.end(body ?? undefined);
  });
}

async function readWhole(
  response: http.IncomingMessage,
  report: (chunk: Buffer) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    report(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) throw new Error(`an answer of more than ${answerBytesMax} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
