import { OperatorError } from '../../domain/errors/errors.ts';
import type { ClusterView } from '../../http/contract/clusterContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printLine, printNote, printTable, shortTime } from '../output/print.ts';

const sessionsMax = 1_000;

/** `cluster`. */
export async function clusterAction(
  options: ClusterOptions & { readonly ended: number },
): Promise<void> {
  const scope = { endedWithinMs: options.ended, sessionsMax };
  await printAnswer(options, (operator) => operator.readCluster(scope), printCluster);
}

const headings = [
  ...['NODE', 'STATE', 'SINCE', 'HOST', 'HOLDS', 'LEVEL', 'LABELS', 'STRIPES'],
  ...['VERSION', 'TZ DATA', 'SESSION'],
];

function printCluster(cluster: ClusterView): void {
  if (cluster.sessions.length > 0) {
    printTable(
      headings,
      cluster.sessions.map((session) => [
        session.node,
        stateText(session),
        shortTime(session.startedAt),
        `${session.host} (${session.processId})`,
        `${session.prepared} waiting, ${session.executing} executing, of ${session.capacity}`,
        `${session.level}`,
        session.labels.join(' ') || '-',
        session.state === 'live' ? `${session.stripes.length}` : '-',
        session.version,
        session.timezoneData,
        session.sessionId,
      ]),
    );
  }
  const live = cluster.sessions.filter(({ state }) => state === 'live').length;
  printLine(`${live} live ${live === 1 ? 'node' : 'nodes'}, ${cluster.jobs} jobs.`);
  for (const warning of cluster.warnings) printNote(`warning: ${warning}`);
}

function stateText(session: ClusterView['sessions'][number]): string {
  const { state, isDraining, renewedAgoMs, endedAt, endedWhy } = session;
  const life = isDraining ? 'draining' : 'live';
  if (state === 'live') return `${life}, renewed ${(renewedAgoMs / 1000).toFixed(1)} s ago`;
  return `ended ${shortTime(endedAt)}${endedWhy === null ? '' : ` (${endedWhy})`}`;
}

/** `cluster forget`. */
export async function forgetNodeAction(name: string, options: ClusterOptions): Promise<void> {
  const send = async (operator: ApiOperator) => {
    const forgotten = await operator.forgetNode(name);
    if (forgotten.slots === 0) await requireNode(operator, name);
    return forgotten;
  };
  await printAnswer(options, send, ({ slots }) => {
    const what = slots === 1 ? 'slot of an every-node job' : 'slots of every-node jobs';
    printLine(slots === 0 ? `${name} has nothing to forget.` : `Forgot ${name}: ${slots} ${what}.`);
  });
}

/** One that has nothing to forget may have been there; one that never was is mistyped. */
async function requireNode(operator: ApiOperator, name: string): Promise<void> {
  const { sessions } = await operator.readCluster({ endedWithinMs: yearMs, sessionsMax });
  if (sessions.some(({ node }) => node === name)) return;
  throw new OperatorError({
    code: 'node_missing',
    message: `There was no node ${JSON.stringify(name)}.`,
    hint: 'See the nodes of the last days: statecron cluster --ended 30d',
  });
}

const yearMs = 365 * 24 * 3_600_000;
