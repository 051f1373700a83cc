/** Why a session ended, as far as it is known, and what an operator can do about it. */
export interface SessionEnd {
  /** For `session.ended_why` and the reasons of the runs that were lost with it; no full stop. */
  readonly why: string;
  /** Sentences, or nothing. */
  readonly hint: string;
}

/** A session that has ended, of which nothing lives any more; why: null when it is not known. */
export interface EndedSession {
  readonly sessionId: string;
  readonly why: string | null;
  /**
   * It ended without an answer from the database: since when there was none, on the boot clock of
   * the host; absent: it had answers.
   */
  readonly unansweredBootMs?: number;
}

/** Renewals of a lease since the last one that the database confirmed. */
interface FailedRenewals {
  readonly count: number;
  readonly lastError: string;
  /** From the last renewal that was confirmed to the last failure. */
  readonly forMs: number;
  /** From the last failure until now. */
  readonly silentMs: number;
}

/** From which share of the whole time on a silence after the last failure is worth mentioning. */
const silenceShare = 0.4;

/** The texts of what ends sessions. Each says what was seen, and no cause that was not. */
export const sessionEnds = {
  /** The node reported that its renewals failed, until its lease was over. */
  notConfirmed: ({ count, forMs, lastError, silentMs }: FailedRenewals): SessionEnd => {
    const what = count === 1 ? 'did not confirm a renewal' : `confirmed none of ${count} renewals`;
    const silence =
      silentMs > silenceShare * (forMs + silentMs)
        ? `; then the node reported nothing for ${seconds(silentMs)}`
        : '';
    return {
      why: `${noAnswer}${what} of its lease in ${seconds(forMs)} (${lastError})${silence}`,
      hint:
        'Check the database and the network to it. A longer --session-ttl lets runs live through ' +
        'longer outages.',
    };
  },
  /** The node renewed nothing and reported nothing: frozen, hung, or the machine was suspended. */
  stoodStill: (forMs: number): SessionEnd => ({
    why:
      'its node stood still: it neither renewed its lease nor reported a failure for ' +
      seconds(forMs),
    hint: 'Check whether the machine was suspended, or had no memory or processor time left.',
  }),
  /** Its node ended in order. */
  stopped: 'it was stopped',
  /** The node noted that, before it ended. */
  guardianGone: 'its guardian was gone, so the node ended',
  /** Nobody noted why. */
  foundDead: 'the next process of its name found it dead',
  /** Noted while a backup is loaded: the node may live on in the database that it was taken of. */
  restored: 'the database was restored from a backup',
  /** The lease is good, and the database does not take the session's writes. */
  endedByOthers: {
    why: 'the session is not live in the database any more',
    hint: 'Another node has ended it, or the database was restored from a backup.',
  },
  /** `how`: `was ended by SIGKILL`, `ended with exit code 1`. */
  processEnded: (how: string): SessionEnd => ({
    why: `the process of its node ${how}`,
    hint: how.endsWith('SIGKILL')
      ? 'Somebody sent that, or the kernel when memory was out (journalctl -k).'
      : '',
  }),
  /** Another node saw no renewal; what happened there it cannot see. */
  seenByOthers: (forMs: number): string => `no renewal of its lease was seen for ${seconds(forMs)}`,
} as const;

/** Whether its node ended in order; rows of earlier releases say it in other words. */
export function isInOrder(endedWhy: string | null): boolean {
  return endedWhy === sessionEnds.stopped || endedWhy === 'it left by itself';
}

/** Whether a session ended since its node had no answer from the database. */
export function isByDatabase(endedWhy: string): boolean {
  return endedWhy.startsWith(noAnswer);
}

/** How that begins, in rows of earlier releases, too. */
const noAnswer = 'the database ';

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
}
