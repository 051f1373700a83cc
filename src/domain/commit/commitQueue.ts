import type { BatchRequest, Verdict } from './batch.ts';
import { type CommitTime, mayWaitMs } from './mayWaitMs.ts';

/** What a mailbox gets back for a request; `unknown` when nobody can say what became of it. */
export type Settled = Verdict | { readonly verdict: 'unknown' };

export interface CommitRequest {
  readonly request: BatchRequest;
  /** Puts the answer into the mailbox of the requester. */
  readonly settle: (settled: Settled) => void;
}

/** How one transaction of the committer ended. `busy`: no request in it could get its stripe. */
export type CommitReport = 'committed' | 'busy' | 'unknown' | 'fenced';

/** One packet is at most this; the smallest usual max_allowed_packet is 16 times as much. */
const batchBytesMax = 1024 * 1024;
const batchRequestsMax = 2000;

/**
 * What is requested of the committer and not settled, in order. A batch that came to nothing is
 * halved, down to single requests, so that one that cannot be written stands alone and is found.
 */
export class CommitQueue {
  #waiting: CommitRequest[] = [];
  #requestsMax = batchRequestsMax;

  get size(): number {
    return this.#waiting.length;
  }

  add(queued: CommitRequest): void {
    this.#waiting.push(queued);
  }

  /** The next batch, oldest first, bounded by number and by bytes; at least one if there is one. */
  take(): CommitRequest[] {
    let bytes = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      bytes += requestBytes(request);
      if (count > 0 && (bytes > batchBytesMax || count >= this.#requestsMax)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** How long the next batch may wait for more to go along, ms: as its most urgent request may. */
  gatherMs(time: CommitTime): number {
    let leastMs = Number.POSITIVE_INFINITY;
    for (const { request } of this.#waiting) {
      leastMs = Math.min(leastMs, mayWaitMs(request, time));
      if (leastMs === 0) break;
    }
    return leastMs;
  }

  /** Puts requests whose stripe was busy at the head again. */
  putBack(requests: readonly CommitRequest[]): void {
    this.#waiting = [...requests, ...this.#waiting];
  }

  /** Records how a batch went, for the size of the next one. */
  noteBatch(requests: number, report: CommitReport): void {
    if (report === 'unknown') this.#requestsMax = Math.max(1, Math.floor(requests / 2));
    else this.#requestsMax = Math.min(batchRequestsMax, this.#requestsMax * 2);
  }
}

/** About how much of a packet the widest statement for a request takes. */
function requestBytes(request: BatchRequest): number {
  if (request.kind === 'claim') return 250 * request.slotsMax;
  if (request.kind === 'finish') return 400 + 4 * (request.execution.reason?.length ?? 0);
  return 100;
}
