import type { EngineMember, FaultEngine } from '../engines/faultEngine.ts';
import type { ClockSampler } from '../record/clockSampler.ts';
import type { OperationWays } from '../workload/operationWays.ts';
import type { Operator } from '../workload/operator.ts';
import type { FaultNode } from './faultNode.ts';
import type { NodeLine } from './nodeLine.ts';
import type { Random } from './random.ts';

/** Everything that a fault can reach. */
export interface FaultWorld {
  readonly engine: FaultEngine;
  /** The database's name on every member. */
  readonly database: string;
  readonly nodes: readonly FaultNode[];
  /** The way to the database of the commands that operate on jobs. */
  readonly operatorLine: NodeLine;
  readonly operator: Operator;
  readonly ways: OperationWays;
  readonly clock: ClockSampler;
  readonly ttlMs: number;
  /** Why this world has not what some kinds need; absent: it has all. */
  readonly lacks?: Readonly<Partial<Record<FaultNeed, string>>>;
}

/**
 * `proxies`: between nodes and database. `restarts`: the run starts the nodes, and a guardian that
 * ended again. `server`: its process and settings are the run's. `logs`: what nodes say is read.
 * `operations`: some are made.
 */
export type FaultNeed = 'proxies' | 'restarts' | 'server' | 'logs' | 'operations';

/** What a fault did, until it is healed. */
export interface Injection {
  /** A node's name, `database`, a member's name … */
  readonly target: string;
  readonly detail: string;
  /** How long it stays before it is healed. */
  readonly lastsMs: number;
  /** When it began, where that was later than when it was asked for. */
  readonly fromMs?: number;
  /** The node process ends of it, now or soon: the fault lasts until the next one serves. */
  readonly endsNode?: boolean;
  /** True when it is over before its time, e.g. because what was frozen has been killed. */
  isOver?(): boolean;
  /** Undoes it. One that rejects is called again. */
  heal(): Promise<void>;
  /** After it, and no longer part of the fault: until the next of its kind may come. */
  recover?(): Promise<void>;
  /** Where it differs from what the kind says. */
  readonly stops?: Breadth;
}

/** What may be late while a fault lasts; see FaultRecord. */
export type Breadth = 'nothing' | 'node' | 'everything';

/** `node`: one healthy node, as long as another stays healthy. */
export type Taken = 'node' | 'database' | 'operator' | 'api' | 'nothing';

/** One kind of fault. */
export interface FaultKind {
  readonly kind: string;
  /** What it has for itself while it lasts: of two that want the same one waits. */
  readonly takes: Taken;
  readonly stops: Breadth;
  /** How often it is in the deck; 1 when absent. */
  readonly weight?: number;
  /** What it cannot be had without. */
  readonly needs?: readonly FaultNeed[];
  /** False: such an engine has no such fault. */
  isFor?(world: FaultWorld): boolean;
  /** Why this machine cannot have it; null: it can. */
  missing?(world: FaultWorld): string | null;
  /**
   * Does it. Null: it could not be done now (nothing of the kind was under way in time), nothing
   * was changed, and it may be tried again later.
   * @param node whom it is for, of kinds that take a node; of others any node
   */
  inject(world: FaultWorld, random: Random, node: FaultNode): Promise<Injection | null>;
}

/** Why a world cannot have a kind that its engine has; null: it can. */
export function whyMissing({ missing, needs = [] }: FaultKind, world: FaultWorld): string | null {
  const lacks = needs.flatMap((need) => world.lacks?.[need] ?? []);
  return lacks[0] ?? missing?.(world) ?? null;
}

/** A member that takes writes. */
export async function writableMember(world: FaultWorld): Promise<EngineMember> {
  const [first] = await world.engine.writable();
  if (first === undefined) throw new Error('no member takes writes');
  return first;
}

/**
 * So many TTLs, but of a long one less: faults of minutes would leave no time for others.
 */
export const lastingMs = (ttlMs: number, ttls: number): number =>
  Math.round(ttls * Math.min(ttlMs, 12_000));

export const nothingToHeal = async (): Promise<void> => undefined;
