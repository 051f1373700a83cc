import { type DealtSession, dealStripes } from '../domain/targeting/dealStripes.ts';
import { allWarnings, type ClusterShown, type SessionShown } from '../store/clusterView.ts';
import type { ClusterOptions } from './clusterOptions.ts';
import { isoOf, printJson, printLine, printNote, printTable, shortTime } from './print.ts';
import { withOperator } from './withOperator.ts';

const sessionsMax = 1_000;

/** `cluster`. */
export async function clusterAction(
  options: ClusterOptions & { json?: boolean; ended: number },
): Promise<void> {
  const view = { endedWithinMs: options.ended, sessionsMax };
  const cluster = await withOperator(options, (operator) => operator.readCluster(view));
  if (options.json) printJson(clusterJson(cluster));
  else printCluster(cluster);
}

/** The stripes that each live session looks ahead on. */
function stripesOf(cluster: ClusterShown): Map<string, readonly number[]> {
  const live = cluster.sessions.filter(({ state }) => state === 'live');
  const dealt = live.map((session): DealtSession => ({ ...session, nodeName: session.node }));
  return new Map(dealt.map(({ sessionId }) => [sessionId, dealStripes(sessionId, dealt)]));
}

function clusterJson(cluster: ClusterShown) {
  const stripes = stripesOf(cluster);
  return {
    now: isoOf(cluster.nowMs),
    jobs: cluster.jobs,
    overdue: cluster.overdue,
    unrunnable: { jobs: cluster.unrunnable.jobs, names: cluster.unrunnable.names },
    warnings: allWarnings(cluster),
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

const headings = [
  ...['NODE', 'STATE', 'SINCE', 'HOST', 'HOLDS', 'LEVEL', 'LABELS', 'STRIPES'],
  ...['VERSION', 'TZ DATA', 'SESSION'],
];

function printCluster(cluster: ClusterShown): void {
  const stripes = stripesOf(cluster);
  if (cluster.sessions.length > 0) {
    printTable(
      headings,
      cluster.sessions.map((session) => [
        session.node,
        stateText(session),
        shortTime(session.startedMs),
        `${session.host} (${session.processId})`,
        `${session.prepared} waiting, ${session.executing} executing, of ${session.capacity}`,
        `${session.level}`,
        session.labels.join(' ') || '-',
        `${stripes.get(session.sessionId)?.length ?? '-'}`,
        session.version,
        session.timezoneData,
        session.sessionId,
      ]),
    );
  }
  const live = stripes.size;
  printLine(`${live} live ${live === 1 ? 'node' : 'nodes'}, ${cluster.jobs} jobs.`);
  for (const warning of allWarnings(cluster)) printNote(`warning: ${warning}`);
}

function stateText({ state, isDraining, renewedAgoMs, endedMs, endedWhy }: SessionShown): string {
  const word = isDraining ? 'draining' : 'live';
  if (state === 'live') return `${word}, renewed ${(renewedAgoMs / 1000).toFixed(1)} s ago`;
  return `ended ${shortTime(endedMs)}${endedWhy === null ? '' : ` (${endedWhy})`}`;
}

/** `cluster forget`. */
export async function forgetNodeAction(
  nodeName: string,
  options: ClusterOptions & { json?: boolean },
): Promise<void> {
  const forgotten = await withOperator(options, (operator) => operator.forgetNode(nodeName));
  if (options.json) return printJson({ node: nodeName, slots: forgotten.slots });
  const { slots } = forgotten;
  const what = `${slots} ${slots === 1 ? 'slot of an every-node job' : 'slots of every-node jobs'}`;
  printLine(slots === 0 ? `${nodeName} has nothing to forget.` : `Forgot ${nodeName}: ${what}.`);
}
