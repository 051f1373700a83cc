/** A node's API as a client reaches it. */
export interface ApiTarget {
  readonly name: string;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Of a request that may be repeated. */
  readonly key: string | null;
  /** What `If-Match` says. */
  readonly tag: string | null;
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface ApiAnswer {
  /** 0: there was none, or not all of it. */
  readonly status: number;
  /** False: the node cannot have heard of it. */
  readonly wasSent: boolean;
  readonly tag: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of a fault, its own word for itself; else ''. */
  readonly code: string;
  readonly detail: string;
}

/** As long as the command line is waited for. */
const timeoutMs = 20_000;

/** Sends one request, once, and reads its answer whole. Never rejects. */
export async function requestApi(
  target: ApiTarget,
  token: string,
  { method, path, key, tag, body }: ApiRequest,
): Promise<ApiAnswer> {
  try {
    const response = await fetch(`${target.url}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      body: body === null ? null : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(key === null ? {} : { 'idempotency-key': key }),
        ...(tag === null ? {} : { 'if-match': tag }),
      },
    });
    return answerOf(response, await response.text());
  } catch (error) {
    return lost(error as Error);
  }
}

function answerOf({ status, headers }: Response, text: string): ApiAnswer {
  const body = JSON.parse(text === '' ? '{}' : text) as Record<string, unknown>;
  const { code = '', detail = '' } = status < 300 ? {} : body;
  return {
    ...{ status, body, wasSent: true, tag: headers.get('etag') },
    ...{ code: String(code), detail: String(detail) },
  };
}

function lost(error: Error): ApiAnswer {
  const cause = error.cause as { code?: unknown; message?: string } | undefined;
  // Nobody listens there: all else may have been heard before it broke.
  const wasSent = cause?.code !== 'ECONNREFUSED';
  const code = wasSent ? 'lost' : 'never sent';
  const detail = cause?.message ?? error.message;
  return { status: 0, wasSent, tag: null, body: {}, code, detail };
}
