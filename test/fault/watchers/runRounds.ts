import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  killChecked,
  type ProcessEntry,
  readProcess,
} from '../../../src/exec/process/processTree.ts';
import { type NodeProcess, processesOf } from '../../node/nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from '../../node/nodeWorld.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { until } from '../../support/until.ts';
import { endLiving, type Ledger, openLedger } from './ledger.ts';

export const watchers = ['guardian', 'node', 'launcher'] as const;
export type Watcher = (typeof watchers)[number];

/** What is done to the three processes that watch the children of a node. */
export interface Blow {
  readonly signals: Readonly<Partial<Record<Watcher, 'SIGSTOP' | 'SIGKILL'>>>;
  /** When all are killed: the name is started again before its TTL is over, or after it. */
  readonly restart?: 'inside the TTL' | 'after the TTL';
}

export interface Figures {
  readonly rounds: number;
  /** Until nothing of the launch lived: since the blow, or since the name was started again. */
  readonly goneMs: number[];
  /** Rounds whose session stayed live, as nothing had been done to the node itself. */
  readonly unharmed: number;
  /** What broke the promise. */
  readonly faults: string[];
}

interface Rounds {
  readonly world: NodeWorld;
  readonly ledger: Ledger;
  readonly nodes: Map<string, NodeProcess>;
  readonly blow: Blow;
  readonly limits: Limits;
}

interface Round {
  readonly name: string;
  readonly launchId: string;
  readonly sessionId: string;
  readonly struck: ReadonlyMap<Watcher, ProcessEntry>;
}

/** How long what is left of a launch may live. When all were killed nobody acts before a start. */
export interface Limits {
  readonly afterBlowMs: number;
  readonly afterStartMs: number;
  readonly ttlMs: number;
}

const joinMsMax = 120_000;
const ttlOf = ({ ttlMs }: Limits) => ['--session-ttl', `${ttlMs / 1_000}s`];

/**
 * Strikes the watchers of whichever of two nodes runs a slot, again and again, and looks
 * whether two trees of the slot ever lived at once and whether the old one is gone in time.
 */
export async function runRounds(
  scope: Scope,
  blow: Blow,
  count: number,
  limits: Limits = { afterBlowMs: 10_000, afterStartMs: 2_000, ttlMs: 5_000 },
): Promise<Figures> {
  const world = await makeNodeWorld(scope);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-watchers-'));
  const ledger = openLedger(path.join(folder, 'ledger'));
  world.scope.after(async () => {
    endLiving(ledger);
    rmSync(folder, { recursive: true });
  });
  const script = path.join(import.meta.dirname, 'tree.sh');
  const command = `exec bash ${script} ${ledger.path} bash "$STATECRON_LAUNCH_ID"`;
  await world.add('job', '* * * * * *', { command });
  const nodes = new Map(['one', 'two'].map((name) => [name, world.start(name, ttlOf(limits))]));
  const rounds: Rounds = { world, ledger, nodes, blow, limits };
  const figures = { goneMs: [] as number[], unharmed: 0, faults: [] as string[] };
  for (let at = 0; at < count; at += 1) await strike(rounds, figures);
  await settled(rounds);
  return { rounds: count, ...figures };
}

async function strike(rounds: Rounds, figures: Omit<Figures, 'rounds'> & { unharmed: number }) {
  const { blow, ledger, limits, nodes, world } = rounds;
  const round = await settled(rounds);
  const overlapsBefore = ledger.overlaps().length;
  const faultsBefore = figures.faults.length;
  const node = nodes.get(round.name);
  const logBefore = node?.log().length ?? 0;
  for (const [watcher, entry] of round.struck) {
    const signal = blow.signals[watcher];
    if (signal !== undefined) killChecked(entry, signal);
  }
  if (blow.restart === 'after the TTL') {
    await until('its session has ended', async () => !(await isLive(rounds, round)), joinMsMax);
    await until('its successor is up', () => isFull(ledger, ledger.launches().at(-1)), joinMsMax);
  }
  const startedAtMs = Date.now();
  if (blow.restart !== undefined) nodes.set(round.name, world.start(round.name, ttlOf(limits)));
  const msMax = blow.restart === undefined ? limits.afterBlowMs : limits.afterStartMs;
  const began = performance.now();
  const isGone = () => ledger.living(round.launchId).length === 0;
  await until('it is gone, or late', () => isGone() || performance.now() - began > msMax, 60_000);
  if (isGone()) figures.goneMs.push(Math.round(performance.now() - began));
  else if (blow.restart === undefined && (await isLive(rounds, round))) figures.unharmed += 1;
  else {
    const left = ledger.living(round.launchId).map(({ kind, entry }) => `${kind} ${entry.pid}`);
    figures.faults.push(
      `${msMax} ms later there was left of ${round.launchId}: ${left.join(', ')}`,
    );
  }
  await recover(rounds, round);
  const isForgiven = (atMs: number) => blow.restart === 'after the TTL' && atMs < startedAtMs;
  for (const { atMs, text } of ledger.overlaps().slice(overlapsBefore)) {
    if (!isForgiven(atMs)) figures.faults.push(text);
  }
  if (figures.faults.length === faultsBefore) return;
  figures.faults.push(`${round.name} (${round.sessionId}) said:\n${node?.log().slice(logBefore)}`);
}

/** Both nodes serve, and the slot's launch has its whole tree. */
async function settled({ ledger, nodes, world }: Rounds): Promise<Round> {
  for (const node of nodes.values()) await node.session();
  return await until(
    'a launch is up',
    async () => {
      const [row] = await world.rows(
        `SELECT slot.launch_id, session.session_id, session.node_name, process_id FROM slot
         JOIN session ON session.session_id = slot.session_id AND session.state = 'live'
         WHERE slot.state = 'executing'`,
      );
      const launchId = row?.launch_id as string | undefined;
      if (row === undefined || launchId === undefined || !isFull(ledger, launchId)) return null;
      const [name, sessionId] = [row.node_name as string, row.session_id as string];
      const pid = row.process_id as number;
      const found = {
        guardian: readProcess(nodes.get(name)?.guardian.pid ?? 0),
        node: readProcess(pid),
        launcher: processesOf(sessionId).find(({ parentPid }) => parentPid === pid) ?? null,
      };
      const struck = new Map(
        watchers.flatMap((each) => (found[each] ? [[each, found[each]]] : [])),
      );
      return struck.size === watchers.length ? { name, launchId, sessionId, struck } : null;
    },
    joinMsMax,
  );
}

const isFull = (ledger: Ledger, launchId: string | undefined): boolean =>
  launchId !== undefined && ledger.living(launchId).length === 4;

async function isLive({ world }: Rounds, { sessionId }: Round): Promise<boolean> {
  return (await world.count("session WHERE session_id = ? AND state = 'live'", [sessionId])) === 1;
}

/** What is frozen goes on; a name whose guardian has ended is started again. */
async function recover(
  { blow, limits, nodes, world }: Rounds,
  { name, struck }: Round,
): Promise<void> {
  for (const entry of struck.values()) killChecked(entry, 'SIGCONT');
  if (blow.signals.guardian !== 'SIGKILL' || blow.restart !== undefined) return;
  await until('its node has ended', () => isDead(struck.get('node')), 60_000);
  nodes.set(name, world.start(name, ttlOf(limits)));
}

const isDead = (entry: ProcessEntry | undefined): boolean =>
  entry === undefined || readProcess(entry.pid)?.startTicks !== entry.startTicks;
