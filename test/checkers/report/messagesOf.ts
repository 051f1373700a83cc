import { gatherEvidence } from '../evidence.ts';
import type { History } from '../history.ts';
import type { RunMessages } from './runMessages.ts';

/** What the nodes of a history may have reported: three messages of each launch that is wanted. */
export function messagesOf(history: History, isWanted: (launchId: string) => boolean): RunMessages {
  const { clock, trails } = gatherEvidence(history);
  const databaseMs = (atMs: number): number => clock.databaseAt(atMs).earliestMs;
  const lastMs = databaseMs(history.about.readMs);
  const said = [...trails.launches.values()].filter(({ launchId }) => isWanted(launchId));
  const launches = said.map(({ claim, idle, launchId, start }) => {
    const atMs = [claim, start ?? claim, idle ?? claim].map((step) => databaseMs(step.earliestMs));
    const [claimedMs = 0, startedMs = 0, idleMs = 0] = atMs;
    const committed = { from: 'committer', to: 'slot' };
    const messages = [
      {
        atMs: claimedMs,
        from: null,
        to: 'slot',
        event: 'after untilTick',
        state: 'prepare.queueing',
      },
      { atMs: startedMs, ...committed, event: 'start.committed', state: 'executing.running' },
      { atMs: idleMs, ...committed, event: 'finish.committed', state: 'idle' },
    ];
    return [launchId, { reportedDatabaseMs: lastMs, messages }] as const;
  });
  return {
    leftOut: 0,
    sessions: Object.fromEntries([...trails.sessions.keys()].map((id) => [id, lastMs])),
    launches: Object.fromEntries(launches),
  };
}
