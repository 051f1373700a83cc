/** Who sends a request of the fuzzer. */
export const senders = ['admin', 'operator', 'viewer', 'scoped', 'nobody', 'bad'] as const;

export type Sender = (typeof senders)[number];

/** A request as it is sent; plain JSON, so that one that fails can be told and sent again. */
export interface FuzzRequest {
  readonly sender: Sender;
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A line that tells a request to people. */
export function tellRequest({ sender, method, target, headers, body }: FuzzRequest): string {
  const told = body === null ? '' : ` ${JSON.stringify(body)}`;
  return `${sender}: ${method} ${target} ${JSON.stringify(headers)}${told}`;
}
