import { readdirSync, readFileSync } from 'node:fs';
import type { Row } from '../../../src/store/connection/channel.ts';
import { median, short } from '../percentile.ts';

const weighedNodes = 5;

/** The memory of a node by its processes, in MB, the medians of a few; from their sessions. */
export function weighNodes(sessions: readonly Row[]) {
  const every = Math.ceil(sessions.length / weighedNodes);
  const few = sessions.filter((_, at) => at % every === 0);
  const sumOf = (pids: number[]) => pids.map(pssMb).reduce((sum, each) => sum + each, 0);
  const middle = (pidsOf: (session: Row) => number[]) =>
    short(median(few.map((session) => sumOf(pidsOf(session)))));
  return {
    node: middle((session) => [session.process_id]),
    guardian: middle((session) => [session.guardian_process_id]),
    launchers: middle((session) => childrenOf(session.process_id)),
  };
}

/** Its resident memory, where what several processes have in common counts for each in part. */
function pssMb(pid: number): number {
  const match = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(match?.[1]) / 1_000;
}

/** The processes that it has started, by whichever of its threads. */
function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'),
  );
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
