import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeMachine } from '../../statecharts/node.ts';
import {
  calleeName,
  isNode,
  literalText,
  parseSource,
  type SyntaxNode,
  walk,
} from '../tidy/syntax.ts';
import type { ArrowLabel, Chart, ChartState } from './chart.ts';
import { chartedMachines } from './chartedMachines.ts';
import { keyText } from './extractMachine.ts';

const folder = path.resolve(import.meta.dirname, '../../src/actors');

/** What it sends is drawn for those who call it. */
const requestModule = 'requestCommit.ts';

/** Modules that no chart is provided in, and for whom they send. */
const sendersOfHelpers: Readonly<Record<string, string>> = { roster: 'scheduler' };

/** An answer of the committer is named for the request and what became of it. */
const answer = /^(claim|start|finish|reset|reap)\./;

interface Message {
  readonly from: string;
  readonly to: string;
  readonly event: string;
}

/** All actors of a node and what they send each other, read out of their sources. */
export async function actorsChart(): Promise<Chart> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && path.basename(name) !== requestModule,
  );
  const sent: Message[] = [];
  for (const name of names.sort()) {
    const tree = parseSource(await readFile(path.join(folder, name), 'utf8'));
    sent.push(...messagesIn(tree, path.basename(name, '.ts')));
  }
  const drawn = new Map<string, { from: string; to: string; labels: ArrowLabel[] }>();
  for (const { from, to, event } of sent) {
    if (from === to) continue;
    const key = `${from}>${to}`;
    const names = [...new Set([...(drawn.get(key)?.labels[0]?.names ?? []), event])];
    drawn.set(key, { from: `actors.${from}`, to: `actors.${to}`, labels: [labelOf(names)] });
  }
  const states = actorNames().map(([name, description]) => {
    const unsent = mailboxOf(name).filter((event) => !sent.some((each) => each.event === event));
    const inner = unsent.length === 0 ? [] : [labelOf(unsent, 'from outside')];
    return { ...stateOf(`actors.${name}`, description), inner };
  });
  const says = 'The actors of a node, and every message between them; the node starts the others.';
  return {
    id: 'actors',
    root: { ...stateOf('actors', says), states },
    arrows: [...drawn.values()],
  };
}

/** Every actor that has a name, the node first, and the slots', with what each is for. */
function actorNames(): [string, string][] {
  const { invoke } = nodeMachine.config.states?.live ?? {};
  const started = (Array.isArray(invoke) ? invoke : []).map(({ systemId = '', input }) => {
    const { duty = '' } = (input ?? {}) as { duty?: string };
    return [systemId, duty || descriptionOf(systemId)] as [string, string];
  });
  const own = ['node', 'slot'].map((name) => [name, descriptionOf(name)] as [string, string]);
  return [...own, ...started];
}

function messagesIn(tree: SyntaxNode, module: string): Message[] {
  const found: Message[] = [];
  const machine = machineIn(tree) ?? sendersOfHelpers[module];
  walk(tree, (node, around) => {
    if (!/^(Optional)?CallExpression$/.test(node.type)) return;
    const from = provided(around) ?? machine;
    const call = calleeName(node) || sentIfThere(node);
    const [, second, third] = node.arguments as SyntaxNode[];
    if (call === 'requestCommit') {
      if (from === undefined)
        throw new Error(`nobody is known to send to the committer in ${module}`);
      found.push({ from, to: 'committer', event: 'commit.request' });
      const answers = mailboxOf(from).filter((event) => answer.test(event));
      found.push(...answers.map((event) => ({ from: 'committer', to: from, event })));
    }
    const event =
      call === 'sendTo' ? typeIn(third) : call === 'send' ? typeIn(firstOf(node)) : null;
    if (event === null) return;
    if (from === undefined) throw new Error(`nobody is known to send ${event} in ${module}`);
    const named = call === 'sendTo' ? literalText(second) : null;
    const receivers = chartedMachines
      .map(({ id }) => id)
      .filter((id) => mailboxOf(id).includes(event));
    const to = named ?? receivers[0];
    if (to === undefined || !mailboxOf(to).includes(event)) throw new Error(`${event} to ${to}`);
    found.push({ from, to, event });
  });
  return found;
}

/** Of `schedulerMachine.provide(…)`: `scheduler`. */
function machineIn(tree: SyntaxNode): string | undefined {
  let found: string | undefined;
  walk(tree, (node) => {
    if (node.type !== 'CallExpression' || calleeName(node) !== 'provide') return;
    const { object } = node.callee as SyntaxNode;
    const name = isNode(object) ? String(object.name) : '';
    if (name.endsWith('Machine')) found ??= name.slice(0, -'Machine'.length);
  });
  return found;
}

/** Inside of `provideCourier`: `courier`. */
function provided(around: readonly SyntaxNode[]): string | undefined {
  const names = around.map(({ type, id }) =>
    type === 'FunctionDeclaration' && isNode(id) ? id.name : '',
  );
  const name = names
    .map(String)
    .find((each) => /^provide[A-Z]/.test(each))
    ?.slice('provide'.length);
  const actor = name === undefined ? '' : name.charAt(0).toLowerCase() + name.slice(1);
  return actorNames().some(([each]) => each === actor) ? actor : undefined;
}

/** `send` of `actor?.send(…)`. */
function sentIfThere({ callee }: SyntaxNode): string {
  const property = isNode(callee) ? callee.property : null;
  return isNode(property) ? String(property.name) : '';
}

function firstOf(call: SyntaxNode): SyntaxNode | undefined {
  return (call.arguments as SyntaxNode[])[0];
}

/** The type of an event that is written out. */
function typeIn(event: SyntaxNode | undefined): string | null {
  if (event?.type !== 'ObjectExpression') return null;
  const properties = (event.properties as SyntaxNode[]).filter(
    ({ type }) => type === 'ObjectProperty',
  );
  return literalText(properties.find((each) => keyText(each) === 'type')?.value);
}

function mailboxOf(actor: string): string[] {
  const machine = chartedMachines.find(({ id }) => id === actor);
  return (machine?.events ?? []).filter((event) => !event.startsWith('xstate.'));
}

function descriptionOf(id: string): string {
  return chartedMachines.find((machine) => machine.id === id)?.root.description ?? '';
}

function stateOf(id: string, description: string): ChartState {
  const name = id.split('.').at(-1) ?? id;
  const empty = { initial: null, invokes: [], entry: [], exit: [], inner: [], states: [] };
  return { id, name, description, isFinal: false, ...empty };
}

function labelOf(names: readonly string[], description = ''): ArrowLabel {
  return { sign: 'event', names, guard: null, actions: [], description, isForbidden: false };
}
