import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { AddressRules } from './addressRules.ts';

/** A request to a URL that somebody else has chosen. */
interface OutgoingRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RequestParts {
  readonly rules: AddressRules;
  /** Stands in for the system's resolver in tests: all addresses of a host. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  readonly timeoutMs?: number;
}

const requestMsMax = 10_000;
/** Of an answer no more is read; nothing of it is kept. */
export const answerBytesMax = 64 * 1024;

/**
 * Sends a request and resolves to the status of the answer. The host is resolved once, all of its
 * addresses must be allowed, and the connection goes to that very address: a name that resolves
 * otherwise the next time changes nothing. No redirect is followed, no proxy used, no connection
 * kept, no credential of ours sent.
 * @throws Error that says what was wrong, and nothing of what was answered.
 */
export async function sendRequest(outgoing: OutgoingRequest, parts: RequestParts): Promise<number> {
  const { timeoutMs = requestMsMax } = parts;
  const clock = new AbortController();
  const tooLate = new Error(`no answer within ${timeoutMs / 1000} s`);
  const timer = setTimeout(() => clock.abort(tooLate), timeoutMs);
  try {
    const address = await unlessAborted(clock.signal, chooseAddress(outgoing.url, parts));
    return await unlessAborted(clock.signal, exchange(outgoing, address, clock.signal));
  } finally {
    clearTimeout(timer);
    clock.abort(tooLate);
  }
}

/** A host with one denied address is denied as a whole. */
async function chooseAddress(url: URL, { resolve, rules }: RequestParts): Promise<string> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new Error(`${url.protocol} is neither https nor http`);
  }
  // The URL's own parser has made plain addresses of 127.1, 0x7f000001 and the like.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await (resolve ?? resolveHost)(host) : [host];
  for (const address of addresses) {
    const why = rules.whyDenied(address);
    if (why !== null) throw new Error(`${host} is not allowed: ${why} (${address})`);
  }
  const [first] = addresses;
  if (first === undefined) throw new Error(`${host} has no address`);
  return first;
}

async function resolveHost(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

function exchange(outgoing: OutgoingRequest, host: string, signal: AbortSignal): Promise<number> {
  const { url, method, headers, body } = outgoing;
  const isSecure = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const options = {
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      ...headers,
      host: url.host,
      ...(body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
    },
    agent: false as const,
    signal,
    maxHeaderSize: 16 * 1024,
    // The certificate is the name's, whatever the address.
    ...(isSecure && isIP(name) === 0 ? { servername: name } : {}),
  };
  return new Promise<number>((resolve, reject) => {
    const request = isSecure ? requestHttps(options) : requestHttp(options);
    request.on('error', (error) => reject(reasonOf(error, signal)));
    request.on('response', (response) => {
      readStatus(response).then(resolve, (error) => reject(reasonOf(error, signal)));
    });
    request.end(body);
  });
}

/** Reads what there is of the answer, up to the bound, so that the other side is done with it. */
async function readStatus(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerBytesMax) break; // which destroys the socket
  }
  return response.statusCode ?? 0;
}

function reasonOf(error: Error, signal: AbortSignal): Error {
  return signal.aborted ? (signal.reason as Error) : error;
}

/** A name that nobody answers for cannot be cancelled, but need not be waited for. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
