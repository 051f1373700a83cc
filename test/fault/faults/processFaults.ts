import { setTimeout as sleep } from 'node:timers/promises';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultNode } from '../world/faultNode.ts';
import { type FaultKind, lastingMs, nothingToHeal } from '../world/faultWorld.ts';
import { openInspector } from '../world/inspector.ts';

/** Faults of the processes of one node. */
export function processFaults(): FaultKind[] {
  return [
    killed('node'),
    killed('guardian'),
    frozen('node frozen past its TTL', (share, ttlMs) => ttlMs * (1.2 + 1.8 * share)),
    frozen('node frozen for less than its TTL', (share, ttlMs) =>
      lastingMs(ttlMs, 0.1 + 0.5 * share),
    ),
    drained,
    workerEnded,
    eventLoopHung,
  ];
}

function killed(whom: 'node' | 'guardian'): FaultKind {
  return {
    kind: `${whom} killed`,
    takes: 'node',
    stops: 'node',
    needs: whom === 'guardian' ? ['restarts'] : [],
    inject: async (_world, _random, node) => {
      if (!node.signal(whom, 'SIGKILL', 'killed')) return null;
      return { ...ended(node, 'SIGKILL'), heal: nothingToHeal };
    },
  };
}

function ended({ name }: FaultNode, detail: string) {
  return { target: name, detail, lastsMs: 0, endsNode: true };
}

function frozen(kind: string, lasts: (share: number, ttlMs: number) => number): FaultKind {
  return {
    kind,
    takes: 'node',
    stops: 'node',
    inject: async ({ ttlMs }, random, node) => {
      const pid = node.nodePid;
      const lastsMs = Math.round(lasts(random.next(), ttlMs));
      if (!node.signal('node', 'SIGSTOP')) return null;
      return {
        target: node.name,
        detail: `SIGSTOP for ${lastsMs} ms`,
        lastsMs,
        isOver: () => node.nodePid !== pid,
        heal: async () => {
          // Its guardian may have killed it; another process in its place was never stopped.
          if (node.nodePid === pid) node.signal('node', 'SIGCONT');
        },
      };
    },
  };
}

const drained: FaultKind = {
  kind: 'node drained and started again',
  takes: 'node',
  stops: 'node',
  needs: ['restarts'],
  inject: async (_world, _random, node) => {
    const before = node.guardianPid;
    if (!node.signal('guardian', 'SIGTERM', 'drained')) return null;
    const began = bootNowMs();
    while (node.guardianPid === before && bootNowMs() - began < 10_000) await sleep(50);
    return { ...ended(node, 'SIGTERM'), heal: nothingToHeal };
  },
};

const workerEnded: FaultKind = {
  kind: 'worker thread ended',
  takes: 'node',
  stops: 'node',
  needs: ['logs'],
  inject: async (_world, _random, node) => {
    const inspector = await inspect(node);
    if (inspector === null) return null;
    const isDone = await inspector.evaluateInWorker('process.exit(3)');
    inspector.close();
    return isDone ? { ...ended(node, 'process.exit in it'), heal: nothingToHeal } : null;
  },
};

/** Unlike SIGSTOP, the worker threads go on and may still be told what they know to do. */
const eventLoopHung: FaultKind = {
  kind: 'event loop hung',
  takes: 'node',
  stops: 'node',
  needs: ['logs'],
  inject: async ({ ttlMs }, random, node) => {
    const inspector = await inspect(node);
    if (inspector === null) return null;
    const pid = node.nodePid;
    const lastsMs = lastingMs(ttlMs, 0.1 + 1.5 * random.next());
    // The process's own monotonic clock: the wall clock may be stepped meanwhile.
    inspector.evaluate(
      `{ const end = performance.now() + ${lastsMs}; while (performance.now() < end); }`,
    );
    return {
      target: node.name,
      detail: `a busy loop of ${lastsMs} ms`,
      lastsMs,
      isOver: () => node.nodePid !== pid,
      heal: async () => inspector.close(),
    };
  },
};

async function inspect(node: FaultNode) {
  const life = node.lives.at(-1);
  if (life === undefined || life.endedMs !== null) return null;
  return openInspector(life.processId, node.said, life.startedMs);
}
