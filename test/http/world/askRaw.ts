import { randomInt } from 'node:crypto';
import http from 'node:http';

/** A request as it is to be sent: its target is not tidied up, as `fetch` would. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
  /** The address of this machine that it comes from: any of 127.0.0.0/8. */
  readonly from?: string | undefined;
  /** Connections that are kept for the next request; absent: one of its own. */
  readonly agent?: http.Agent;
}

export interface HeardAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** Undefined: it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they come
  readonly json: any;
}

/** No answer of the API takes so long, however busy the machine is. */
const answerMsMax = 60_000;
/** Events go on for ever, and what a run writes as long as it runs. */
const [eventsMs, outputMs] = [300, 2_000];

/** Asks and reads the whole answer; rejects when there is none in time. */
export async function askRaw(origin: string, request: RawRequest): Promise<HeardAnswer> {
  const { hostname, port } = new URL(origin);
  const { agent = false, body, from, headers = {}, method, path, token } = request;
  const bytes = body === undefined ? null : Buffer.from(body);
  const all = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(bytes === null ? {} : { 'content-length': `${bytes.length}` }),
    ...headers,
  } as http.OutgoingHttpHeaders;
  const asked = http.request({
    ...{ hostname, port, method, path, agent, headers: all },
    ...(from === undefined ? {} : { localAddress: from }),
  });
  const late = setTimeout(
    () => asked.destroy(new Error(`no answer: ${method} ${path}`)),
    answerMsMax,
  );
  try {
    return await new Promise<HeardAnswer>((resolve, reject) => {
      asked.on('error', reject);
      asked.on('response', (response) => readAnswer(asked, response, resolve, reject));
      asked.end(bytes ?? undefined);
    });
  } catch (error) {
    // A kept connection that the server closed just now has taken nothing of the request.
    const isStale = asked.reusedSocket && (error as { code?: string }).code === 'ECONNRESET';
    if (!isStale) throw error;
    const { agent: _, ...same } = request;
    return await askRaw(origin, same);
  } finally {
    clearTimeout(late);
  }
}

/** An address that nobody has asked from before, so that no failures are counted against it. */
export function freshAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

function readAnswer(
  asked: http.ClientRequest,
  response: http.IncomingMessage,
  resolve: (answer: HeardAnswer) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  const end = (): void => {
    const { headers, statusCode: status = 0 } = response;
    const text = Buffer.concat(chunks).toString('utf8');
    try {
      resolve({ status, headers, text, json: jsonOf(text, headers) });
    } catch (error) {
      reject(new Error(`no JSON: ${text.slice(0, 200)}`, { cause: error }));
    }
  };
  const leave = (): void => {
    end();
    asked.destroy();
  };
  const leaveMs = leaveAfterMs(response.headers['content-type'] ?? '');
  const leaving = leaveMs === null ? undefined : setTimeout(leave, leaveMs);
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', reject);
  response.on('end', () => {
    clearTimeout(leaving);
    end();
  });
}

/** After how long what came of a stream is the answer; null: it is no stream. */
function leaveAfterMs(type: string): number | null {
  if (type.startsWith('text/event-stream')) return eventsMs;
  return type.startsWith('text/plain') ? outputMs : null;
}

function jsonOf(text: string, headers: http.IncomingHttpHeaders): unknown {
  const isJson = /^application\/(problem\+)?json/.test(headers['content-type'] ?? '');
  if (text === '' || !isJson) return undefined;
  return JSON.parse(text);
}
