import type { StatementFault } from '../proxy/statementFault.ts';
import type { Injection } from '../world/faultWorld.ts';
import type { LineFault, NodeLine } from '../world/nodeLine.ts';
import type { Random } from '../world/random.ts';

/** What can happen to a COMMIT, each with the ways in which it does. */
const modes = {
  'request lost': ['request lost', 'request lost', 'request torn'],
  'reply lost': ['reply lost', 'reply lost', 'reply torn'],
  'commit delayed': ['request delayed'],
  'reply delayed': ['reply delayed'],
  'half-open': ['half-open', 'half-open after'],
} as const satisfies Record<string, readonly StatementFault[]>;
export type Mode = keyof typeof modes;
export const statementModes = Object.keys(modes) as Mode[];

export interface ModeRequest {
  readonly kind: StatementFault;
  readonly statement: string;
  readonly delayMs?: number;
}

/** How long to wait for a statement of a node that is at work. */
export const statementMsMax = 4_000;
/** A reset needs two looks of the compensator, a reap the end of a session. */
export const rareMsMax = 9_000;

/** What a proxy is asked for: the mode in one of its ways, at a statement. */
export function requestOf(
  mode: Mode,
  random: Random,
  statement: string,
  [leastMs, mostMs]: readonly [number, number],
): ModeRequest {
  const kind: StatementFault = random.pick<StatementFault>(modes[mode]);
  const delayMs = random.between(leastMs, mostMs);
  return kind.endsWith('delayed') ? { kind, statement, delayMs } : { kind, statement };
}

/** False: it was not met in time, and never will be. */
export async function isHit(
  line: NodeLine,
  fault: LineFault,
  withinMs = statementMsMax,
): Promise<boolean> {
  if (await fault.hitWithin(withinMs)) return true;
  line.each((proxy) => proxy.heal());
  return false;
}

/** A connection that is half open is found out by time-outs, of the client and of the server. */
const halfOpenMs = 3_000;

export function injectionOf(
  line: NodeLine,
  request: ModeRequest,
  done: { readonly fromMs: number; readonly detail: string },
): Omit<Injection, 'target'> {
  const { kind, delayMs = 0 } = request;
  return {
    detail: delayMs === 0 ? done.detail : `${done.detail} by ${delayMs} ms`,
    fromMs: done.fromMs,
    lastsMs: kind.startsWith('half-open') ? halfOpenMs : delayMs,
    heal: async () => line.each((proxy) => proxy.heal()),
  };
}
