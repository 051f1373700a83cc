import { stripesOfSession } from '../domain/stripes.ts';
import { type ClusterShown, readCluster, type SessionShown } from '../store/clusterView.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { isoOf, printJson, printLine, printNote, printTable, shortTime } from './print.ts';
import { withChannel } from './withChannel.ts';

const sessionsMax = 1_000;

/** `cluster`. */
export async function clusterAction(
  options: DatabaseOptions & { json?: boolean; ended: number },
): Promise<void> {
  const view = { endedWithinMs: options.ended, sessionsMax };
  const cluster = await withChannel(options, (channel) => readCluster(channel, view));
  if (options.json) printJson(clusterJson(cluster));
  else printCluster(cluster);
}

/** The stripes that each live session looks ahead on. */
function stripesOf(cluster: ClusterShown): Map<string, number[]> {
  const live = cluster.sessions.filter(({ state }) => state === 'live');
  const ids = live.map(({ sessionId }) => sessionId);
  return new Map(ids.map((id) => [id, stripesOfSession(id, ids)]));
}

function clusterJson(cluster: ClusterShown) {
  const stripes = stripesOf(cluster);
  return {
    now: isoOf(cluster.nowMs),
    jobs: cluster.jobs,
    overdue: cluster.overdue,
    warnings: cluster.warnings,
    sessions: cluster.sessions.map((session) => {
      const { startedMs, endedMs, ...rest } = session;
      return {
        ...rest,
        startedAt: isoOf(startedMs),
        endedAt: isoOf(endedMs),
        stripes: stripes.get(session.sessionId) ?? [],
      };
    }),
  };
}

function printCluster(cluster: ClusterShown): void {
  const stripes = stripesOf(cluster);
  if (cluster.sessions.length > 0) {
    printTable(
      ['NODE', 'STATE', 'SINCE', 'HOST', 'HOLDS', 'STRIPES', 'VERSION', 'TZ DATA', 'SESSION'],
      cluster.sessions.map((session) => [
        session.node,
        stateText(session),
        shortTime(session.startedMs),
        `${session.host} (${session.processId})`,
        `${session.prepared} waiting, ${session.executing} executing, of ${session.capacity}`,
        `${stripes.get(session.sessionId)?.length ?? '-'}`,
        session.version,
        session.timezoneData,
        session.sessionId,
      ]),
    );
  }
  const live = stripes.size;
  printLine(`${live} live ${live === 1 ? 'node' : 'nodes'}, ${cluster.jobs} jobs.`);
  for (const warning of cluster.warnings) printNote(`warning: ${warning}`);
}

function stateText({ state, renewedAgoMs, endedMs, endedWhy }: SessionShown): string {
  if (state === 'live') return `live, renewed ${(renewedAgoMs / 1000).toFixed(1)} s ago`;
  return `ended ${shortTime(endedMs)}${endedWhy === null ? '' : ` (${endedWhy})`}`;
}
