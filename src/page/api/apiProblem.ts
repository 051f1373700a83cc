/** What a node refused, or why there is no answer. */
export class ApiProblem extends Error {
  /** 0: there was no answer. */
  readonly status: number;
  /** Stable, for decisions: `job_missing`; `node_away` when there was no answer. */
  readonly code: string;
  readonly hint: string;
  /** Which fields are wrong, by the names that they have in the request. */
  readonly fields: ReadonlyMap<string, string>;
  /** When it may be tried again; null: nothing says so. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: ProblemBody, retryAfter: string | null = null) {
    super(body.detail ?? `The node answered with the status ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.hint = body.hint ?? '';
    const fields = new Map<string, string>();
    for (const { field, message } of body.errors ?? []) {
      const before = fields.get(field);
      fields.set(field, before === undefined ? message : `${before}; ${message}`);
    }
    this.fields = fields;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null;
  }

  /** Whether the same request may succeed later, without anybody doing anything. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly hint?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[] | undefined;
}

/** What to throw where an answer broke off: fetch says no more than `TypeError`. */
export function lostAnswer(error: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted ? error : nodeAway();
}

/** No answer at all: the node is down, or the network between. */
export function nodeAway(): ApiProblem {
  return new ApiProblem(0, {
    ...{ code: 'node_away', detail: 'This node does not answer.' },
    hint: 'It is tried again by itself. The page of any other node shows the same cluster.',
  });
}
