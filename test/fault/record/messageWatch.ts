import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchedLaunch } from '../../../src/domain/commit/nodeActivity.ts';
import { watchActivity } from '../../../src/store/activity/watchActivity.ts';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { instantMs, jsonOf, nullable, rowOf, text } from '../../../src/store/rows/row.ts';
import type { RunMessages } from '../../checkers/report/runMessages.ts';

/** Somebody who looks at what nodes do all along, so that they report the messages of launches. */
export interface MessageWatch {
  /** All that was reported so far. */
  all(): RunMessages;
  close(): Promise<void>;
}

/** Nodes report every two seconds. */
const periodMs = 1_000;
const bounds = { timeoutMs: 2_000, lockWaitSeconds: 1, silenceSeconds: 600 };

/** @param url tells, at each connect, where to look: a member that answers. */
export function watchMessages(url: () => Promise<string>): MessageWatch {
  const kept = new KeptMessages();
  const stopping = new AbortController();
  const { signal } = stopping;
  let channel: Channel | null = null;
  const loop = (async () => {
    while (!signal.aborted) {
      try {
        channel ??= new Channel('messages', readDatabaseUrl(await url()), bounds);
        await watchActivity(channel);
        for (const each of await channel.rows(reportedRow, selectReported)) kept.add(each);
      } catch {
        // It is the database that is broken now; the next look tries again.
        await channel?.close();
        channel = null;
      }
      await sleep(periodMs, undefined, { signal }).catch(() => undefined); // aborted: it is over
    }
  })();
  return {
    all: () => kept.all(),
    close: async () => {
      stopping.abort();
      await loop;
      await channel?.close();
    },
  };
}

/** Of each launch what its node reported last, of no more launches than a folder is to hold. */
export class KeptMessages {
  readonly #most: number;
  readonly #sessions = new Map<string, number>();
  /** The one that was reported first is the first. */
  readonly #launches = new Map<string, RunMessages['launches'][string]>();
  #left = 0;

  /** @param most so many launches: some kilobyte each */
  constructor(most = 50_000) {
    this.#most = most;
  }

  add({ launches, sessionId, reportedMs }: ReportedRow): void {
    if (this.#sessions.get(sessionId) === reportedMs) return;
    this.#sessions.set(sessionId, reportedMs);
    for (const { launchId, messages } of launches ?? []) {
      this.#launches.set(launchId, { reportedDatabaseMs: reportedMs, messages });
      const [oldest = ''] = this.#launches.keys();
      if (this.#launches.size <= this.#most) continue;
      this.#launches.delete(oldest);
      this.#left += 1;
    }
  }

  all(): RunMessages {
    return {
      leftOut: this.#left,
      sessions: Object.fromEntries(this.#sessions),
      launches: Object.fromEntries(this.#launches),
    };
  }
}

type ReportedRow = ReturnType<typeof reportedRow>;

const reportedRow = rowOf({
  sessionId: text,
  reportedMs: instantMs,
  launches: nullable(jsonOf<readonly WatchedLaunch[]>()),
});
// A minute: so long a database may have been frozen since.
const selectReported = `/* watchMessages */ SELECT session_id, reported_at AS reported,
    CAST(JSON_EXTRACT(activity, '$.launches') AS CHAR) AS launches
  FROM node_activity WHERE reported_at > NOW(3) - INTERVAL 1 MINUTE`;
