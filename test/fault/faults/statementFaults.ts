import { bootNowMs } from '../world/bootNow.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import type { NodeLine } from '../world/nodeLine.ts';
import type { Random } from '../world/random.ts';
import {
  injectionOf,
  isHit,
  type Mode,
  type ModeRequest,
  rareMsMax,
  requestOf,
  statementModes,
  statementMsMax,
} from './statementModes.ts';

/** The statement that tells what a batch is for, just before its COMMIT. */
const arrows = {
  claim: '/* claimSlots */',
  start: '/* startSlots */',
  finish: '/* finishSlots */',
  reset: '/* resetSlots read */',
  reap: '/* reapSlots read */',
} as const;
type Arrow = keyof typeof arrows;

const batchCommit = 'commitBatch commit';
/** Faults at single statements: each transaction of the design in each way of not being told. */
export function statementFaults(): FaultKind[] {
  return statementModes.flatMap((mode) => [
    batchFault(mode),
    heartbeatFault(mode),
    joinFault(mode),
  ]);
}

/** The arrows come in turn, the rare ones, which have to be provoked, too. */
function batchFault(mode: Mode): FaultKind {
  let turn: Arrow[] = [];
  return {
    kind: `${mode} at a batch`,
    takes: 'node',
    stops: 'node',
    needs: ['proxies'],
    weight: 3,
    inject: async (world, random, node) => {
      if (turn.length === 0) turn = random.shuffle(Object.keys(arrows) as Arrow[]);
      const arrow = turn.shift() as Arrow;
      const request = requestOf(mode, random, batchCommit, [100, 2_500]);
      const done = await provoke(world, random, arrow, node, request);
      if (done === null) return null;
      const injection = injectionOf(done.line, request, done);
      return { ...injection, target: done.target, endsNode: arrow === 'reap' };
    },
  };
}

interface Done {
  readonly line: NodeLine;
  readonly target: string;
  readonly fromMs: number;
  readonly detail: string;
}

async function provoke(
  world: FaultWorld,
  random: Random,
  arrow: Arrow,
  node: FaultNode,
  request: ModeRequest,
): Promise<Done | null> {
  if (arrow === 'reap') return atReap(world, node, request);
  if (arrow === 'reset') {
    const claim = requestOf('reply lost', random, batchCommit, [0, 0]);
    const lost = await atCommitOf('claim', node, claim, statementMsMax);
    const done = lost && (await atCommitOf('reset', node, request, rareMsMax));
    return done && { ...done, fromMs: lost.fromMs };
  }
  return atCommitOf(arrow, node, request, statementMsMax);
}

/** Holds the reply to the arrow's own statement until the fault waits for the COMMIT after it. */
async function atCommitOf(
  arrow: Arrow,
  node: FaultNode,
  request: ModeRequest,
  withinMs: number,
): Promise<Done | null> {
  const { line, name: target } = node;
  const marker = line.arm({ kind: 'reply delayed', statement: arrows[arrow] });
  if (!(await marker.hitWithin(withinMs))) return null;
  const fault = line.arm(request);
  marker.release();
  return (await isHit(line, fault))
    ? { line, target, fromMs: bootNowMs(), detail: `${arrow}: ${request.kind}` }
    : null;
}

/** A node is killed; whoever reaps what it left has the fault. */
async function atReap(
  world: FaultWorld,
  killed: FaultNode,
  request: ModeRequest,
): Promise<Done | null> {
  const others = world.nodes.filter((node) => node !== killed);
  const fromMs = bootNowMs();
  const reaping = others.map((node) => atCommitOf('reap', node, request, rareMsMax));
  killed.signal('node', 'SIGKILL', 'killed');
  const done = (await Promise.all(reaping)).find((each) => each !== null);
  const target = done === undefined ? killed.name : `${killed.name}, ${done.target}`;
  // What was killed stays killed, whether or not the reap was met.
  return { ...(done ?? noReap(killed)), target, fromMs };
}

function noReap({ line, name }: FaultNode): Done {
  return { line, target: name, fromMs: 0, detail: 'killed, and its reap not met' };
}

function heartbeatFault(mode: Mode): FaultKind {
  return {
    kind: `${mode} at a heartbeat`,
    takes: 'node',
    stops: 'node',
    needs: ['proxies'],
    inject: async (_, random, { line, name }) => {
      const request = requestOf(mode, random, '/* renewSession */', [300, 3_500]);
      if (!(await isHit(line, line.arm(request)))) return null;
      const detail = `renewal: ${request.kind}`;
      return { ...injectionOf(line, request, { detail, fromMs: bootNowMs() }), target: name };
    },
  };
}

/** A join is provoked by the end of the node process before. */
function joinFault(mode: Mode): FaultKind {
  return {
    kind: `${mode} at a join`,
    takes: 'node',
    stops: 'node',
    needs: ['proxies'],
    inject: async (_, random, node) => {
      const { line, name } = node;
      const request = requestOf(mode, random, 'joinSession commit', [300, 3_000]);
      const fault = line.arm(request);
      const fromMs = bootNowMs();
      node.signal('node', 'SIGKILL', 'killed');
      const met = await fault.hitWithin(rareMsMax);
      const detail = met ? `join: ${request.kind}` : 'killed, and its join not met';
      return { ...injectionOf(line, request, { detail, fromMs }), target: name, endsNode: true };
    },
  };
}
