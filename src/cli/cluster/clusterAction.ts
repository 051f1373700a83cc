import { stripeCount } from '../../domain/run/stripes.ts';
import { isQuiet } from '../../domain/targeting/nodeFacts.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ClusterView } from '../../http/contract/clusterContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { requireNode } from '../connect/requireNode.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatAway, localTimezone, withLocalInstants } from '../output/formatInstant.ts';
import { printWarning } from '../output/lines/printWarning.ts';
import { printLine } from '../output/print.ts';
import { instantCell, stateCell } from '../output/table/cells.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';
import { cutToWidth } from '../output/table/textWidth.ts';

const sessionsMax = 1_000;
const endedWithinMs = 3_600_000;

type ShownOptions = TableOptions & { readonly ended?: number };

/** `cluster`. */
export async function clusterAction(options: ClusterOptions & ShownOptions): Promise<void> {
  const scope = { endedWithinMs: options.ended ?? endedWithinMs, sessionsMax };
  await printAnswer(
    options,
    (operator) => operator.readCluster(scope),
    (cluster) => printCluster(cluster, options),
  );
}

type Session = ClusterView['sessions'][number];

function columnsAt(now: string): Column<Session>[] {
  const zone = localTimezone();
  return [
    { heading: 'NODE', of: ({ node }) => node },
    {
      heading: 'STATE',
      of: (session) => stateCell(...stateTexts(session, Date.parse(now))),
      wrapTo: 24,
    },
    { heading: 'SINCE', of: ({ startedAt }) => instantCell(startedAt, zone), rank: 3 },
    { heading: 'HOST', of: ({ host, processId }) => `${host} (${processId})`, rank: 4 },
    {
      heading: 'RUNS',
      of: ({ concurrency, executing, prepared, state }) => {
        if (state !== 'live' && executing + prepared === 0) return '-';
        return `${executing} of ${concurrency} running, ${prepared} prepared`;
      },
      rank: 1,
    },
    { heading: 'LEVEL', of: ({ level }) => `${level}`, rank: 5 },
    { heading: 'LABELS', of: ({ labels }) => labels.join(' ') || '-', rank: 2, cutTo: 12 },
    {
      heading: 'SHARE OF JOBS',
      of: ({ share, state, stripes }) => {
        // The API of an earlier release knows whole stripes only.
        const shown = (share as number | undefined) ?? stripes.length / stripeCount;
        return state === 'live' ? `${Number((100 * shown).toPrecision(2))} %` : '-';
      },
      rank: 7,
    },
    { heading: 'VERSION', of: ({ version }) => version, rank: 6 },
    { heading: 'TZ DATA', of: ({ timezoneData }) => timezoneData, rank: 8 },
    { heading: 'SESSION', of: ({ sessionId }) => sessionId, rank: 9 },
  ];
}

function printCluster(cluster: ClusterView, options: ShownOptions): void {
  const shown = options.ended === undefined ? lastOfEach(cluster.sessions) : cluster.sessions;
  if (shown.length > 0) printTable(columnsAt(cluster.now), shown, options);
  const live = cluster.sessions.filter(({ state }) => state === 'live').length;
  printLine(`${counted(live, 'live node')}, ${counted(cluster.jobs, 'job')}.`);
  for (const warning of cluster.warnings) {
    printWarning(withLocalInstants(warning, localTimezone()));
  }
}

/** Of each node the first, which is its last, and what still holds slots. */
function lastOfEach(sessions: readonly Session[]): Session[] {
  const names = new Set<string>();
  return sessions.filter(({ executing, node, prepared }) => {
    const isLast = !names.has(node);
    names.add(node);
    return isLast || executing + prepared > 0;
  });
}

/** Where why it ended does not fit into one line, so much of it is broken into lines. */
const endWidthMax = 120;

/** Whole, and at most as long as it may be in a narrow terminal. */
function stateTexts(session: Session, nowMs: number): [string, string] {
  const { state, cordon, isDraining, renewedAgoMs, ttlMs, endedAt, endedWhy } = session;
  if (state === 'live') {
    const silence = `silent for ${Math.floor(renewedAgoMs / 1000)} s of ${ttlMs / 1000} s`;
    const isLate = isQuiet(session);
    const renewed = isLate ? silence : `renewed ${(renewedAgoMs / 1000).toFixed(1)} s ago`;
    // A node of an earlier release answers without it.
    if (cordon && isDraining) {
      const life = `cordoned ${formatAway(cordon.since, nowMs)}`;
      const by = cordon.by === '' ? '' : ` by ${cordon.by}`;
      const note = cordon.note === '' ? '' : `: ${cordon.note}`;
      const short = `${life}, ${renewed}`;
      return [`${life}${by}${note}, ${renewed}`, short];
    }
    const word = isDraining ? 'draining' : 'live';
    const text = isLate && !isDraining ? renewed : `${word}, ${renewed}`;
    return [text, text];
  }
  const ended = `ended ${endedAt === null ? '' : formatAway(endedAt, nowMs)}`;
  const text = `${ended}${endedWhy === null ? '' : ` (${endedWhy})`}`;
  return [text, cutToWidth(text, endWidthMax)];
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
