import {
  killChecked,
  type ProcessEntry,
  readProcess,
  scanProcesses,
} from '../../../src/exec/process/processTree.ts';
import type { FaultNode } from '../world/faultNode.ts';
import { type FaultKind, lastingMs, nothingToHeal } from '../world/faultWorld.ts';

type Watcher = 'guardian' | 'node' | 'launcher';

/** Faults of the three processes that watch a node's children, beside those of one of them. */
export function watcherFaults(): FaultKind[] {
  return [
    killed('launcher killed', ['launcher']),
    killed('guardian, node and launcher killed', ['guardian', 'node', 'launcher']),
    launcherFrozen,
    guardianAndNodeFrozen,
  ];
}

function killed(kind: string, watchers: readonly Watcher[]): FaultKind {
  return {
    kind,
    takes: 'node',
    stops: 'node',
    needs: watchers.includes('guardian') ? ['restarts'] : [],
    inject: async (_world, _random, node) => {
      const found = find(node, watchers);
      if (found === null) return null;
      const [life] = node.lives.slice(-1);
      if (life !== undefined && watchers.includes('node')) life.ending = 'killed';
      for (const entry of found) killChecked(entry, 'SIGKILL');
      const detail = 'SIGKILL';
      return { target: node.name, detail, lastsMs: 0, endsNode: true, heal: nothingToHeal };
    },
  };
}

/** The node is healthy: what it starts meanwhile has to wait, and is lost to no bug. */
const launcherFrozen: FaultKind = {
  kind: 'launcher frozen',
  takes: 'node',
  stops: 'node',
  inject: async ({ ttlMs }, random, node) =>
    freeze(node, ['launcher'], lastingMs(ttlMs, 0.1 + 1.5 * random.next())),
};

/** Past the lease; only the launcher is left to kill the children. */
const guardianAndNodeFrozen: FaultKind = {
  kind: 'guardian and node frozen past their TTL',
  takes: 'node',
  stops: 'node',
  inject: async ({ ttlMs }, random, node) => {
    const lastsMs = Math.round(ttlMs * (1.2 + 1.8 * random.next()));
    const frozen = freeze(node, ['guardian', 'node'], lastsMs);
    return frozen === null ? null : { ...frozen, endsNode: true };
  },
};

function freeze(node: FaultNode, watchers: readonly Watcher[], lastsMs: number) {
  const found = find(node, watchers);
  if (found === null) return null;
  for (const entry of found) killChecked(entry, 'SIGSTOP');
  const heal = async () => {
    for (const entry of found) killChecked(entry, 'SIGCONT');
  };
  return { target: node.name, detail: `SIGSTOP for ${lastsMs} ms`, lastsMs, heal };
}

/** Null: one of them is not there now. */
function find(node: FaultNode, watchers: readonly Watcher[]): ProcessEntry[] | null {
  const { guardianPid, nodePid } = node;
  if (guardianPid === null || nodePid === null) return null;
  const { childrenOf, markOf } = scanProcesses();
  const children = childrenOf.get(nodePid) ?? [];
  const entries = {
    guardian: readProcess(guardianPid),
    node: readProcess(nodePid),
    launcher: children.find(({ pid }) => markOf(pid)?.endsWith(':launcher')) ?? null,
  };
  const found = watchers.flatMap((watcher) => entries[watcher] ?? []);
  return found.length === watchers.length ? found : null;
}
