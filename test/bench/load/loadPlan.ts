/** What the clients of the API's bench do, and to whom. */
export interface LoadPlan {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Of an administrator. */
  readonly token: string;
  /** Jobs `job-1` to `job-N` are listed. */
  readonly jobs: number;
  readonly groups: number;
  readonly tags: number;
  /** Sockets that send a byte a second: half of them of a request's head, half of a body. */
  readonly slowSockets: number;
  /** Clients of the event stream; half of them never read. */
  readonly eventClients: number;
  readonly listsPerSecond: number;
  /** Senders of bodies of 10 MB, one after the other each. */
  readonly bodySenders: number;
}

/** What became of it, counted in the clients' processes. */
export interface LoadReport {
  readonly lists: ListReport;
  readonly slow: { readonly opened: number; readonly endedByNode: number };
  readonly bodies: Readonly<Record<'sent' | 'refused' | 'cut' | 'taken', number>>;
  readonly events: {
    readonly opened: number;
    /** Those that do not read, and were cut for it, or those that were refused. */
    readonly ended: number;
    readonly readMb: number;
  };
  /** The event loop of those who ask for lists: what it takes is in their latencies. */
  readonly loopDelayP99Ms: number;
}

export interface ListReport {
  readonly answered: number;
  /** Answers other than 200, and what was not answered, by how often. */
  readonly faults: Readonly<Record<string, number>>;
  readonly latenciesMs: readonly number[];
  /** The same by the kind of request: which filter, which order. */
  readonly byKind: Readonly<Record<string, readonly number[]>>;
}
