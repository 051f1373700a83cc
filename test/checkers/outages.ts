import type { FaultRecord, History } from './history.ts';

/** A span of the boot clock, both ends included. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How late a start may be when nothing is wrong. */
export const latenessMs = 1_000;
/** What a busy machine is forgiven besides: so much, or as many processes as a start waits for. */
const forgivenMsMin = 5_000;
const processesOfStart = 12;

/**
 * What the fault log excuses. Only lateness is ever excused: the rules about what must never happen
 * do not look here.
 */
export class Outages {
  /**
   * The recovery bound: a dead node's slots are free after TTL + reaper's period + lock wait, a
   * launch whose outcome was unknown after two of the compensator's periods + lock wait; then a
   * scan has to find the work and start it.
   */
  readonly boundMs: number;
  /** What a busy machine is forgiven besides lateness. */
  readonly forgivenMs: number;
  /** How much of it this machine needs more than another one: 0 where processes start fast. */
  readonly slowerMs: number;
  /** Spans in which nothing could be done: everything was stopped, or every node was. */
  readonly total: readonly Span[];
  readonly #ofNodes: ReadonlyMap<string, readonly Span[]>;

  constructor({ about, faults }: Pick<History, 'about' | 'faults'>) {
    const { ttlMs, reaperPeriodMs, compensatorPeriodMs, lockWaitMs, scanPeriodMs } = about;
    const freedMs = Math.max(ttlMs + reaperPeriodMs, 2 * compensatorPeriodMs) + lockWaitMs;
    const slowMs = processesOfStart * (about.slowestProcessMs ?? 0);
    this.forgivenMs = Math.max(forgivenMsMin, slowMs);
    this.slowerMs = this.forgivenMs - forgivenMsMin;
    this.boundMs = freedMs + scanPeriodMs + latenessMs + this.slowerMs;
    const ofNodes = new Map<string, Span[]>();
    for (const fault of faults) {
      if (fault.stops !== 'node') continue;
      for (const node of fault.target.split(/[\s,+]+/)) {
        ofNodes.set(node, [...(ofNodes.get(node) ?? []), spanOf(fault)]);
      }
    }
    this.#ofNodes = new Map([...ofNodes].map(([node, spans]) => [node, joined(spans)]));
    const everything = faults.filter(({ stops }) => stops === 'everything').map(spanOf);
    const ofEveryNode = about.nodes.map((node) => this.#ofNodes.get(node) ?? []);
    this.total = joined([...everything, ...ofEveryNode.reduce(meet, ofEveryNode[0] ?? [])]);
  }

  /** When something that began at an instant has had so much time without an outage to be done. */
  deadlineMs(fromMs: number, neededMs: number): number {
    let startMs = fromMs;
    for (const { fromMs: brokenMs, untilMs } of this.total) {
      // After an outage nodes join again and free what was held, so the recovery bound is due.
      const isTouched = brokenMs <= startMs + neededMs && untilMs + this.boundMs >= startMs;
      if (isTouched) startMs = Math.max(startMs, untilMs + this.boundMs);
    }
    return startMs + neededMs;
  }

  /** A deadline, moved behind every outage that comes before it and after an instant. */
  movedMs(deadlineMs: number, fromMs: number): number {
    let movedMs = deadlineMs;
    for (const outage of this.total) {
      const isBefore = outage.untilMs >= fromMs && outage.fromMs <= movedMs;
      if (isBefore) movedMs = Math.max(movedMs, outage.untilMs + this.boundMs);
    }
    return movedMs;
  }

  /** Whether anything in a span may be late because everything was stopped, or had just been. */
  isOut(span: Span, recoveryMs: (outage: Span) => number): boolean {
    return this.total.some((outage) => touches(outage, span, recoveryMs(outage)));
  }

  /** When a node, or everything, was stopped. */
  stopsOf(node: string | null): readonly Span[] {
    return [...(this.#ofNodes.get(node ?? '') ?? []), ...this.total];
  }

  /** Until when what a node held in a span may be late, or null when nothing stopped the node. */
  stoppedUntilMs(node: string, span: Span): number | null {
    const spans = (this.#ofNodes.get(node) ?? []).filter((stop) =>
      touches(stop, span, this.boundMs),
    );
    return spans.length === 0 ? null : Math.max(...spans.map((stop) => stop.untilMs));
  }

  /** The same for any node: a frozen one may hold locks until the database cuts it off. */
  anyStoppedUntilMs(span: Span): number | null {
    const ends = [...this.#ofNodes.keys()].map((node) => this.stoppedUntilMs(node, span) ?? -1);
    const untilMs = Math.max(-1, ...ends);
    return untilMs < 0 ? null : untilMs;
  }
}

function spanOf({ fromMs, untilMs }: FaultRecord): Span {
  return { fromMs, untilMs };
}

/** Whether an outage, with the time that recovery from it takes, falls into a span. */
export function touches(outage: Span, span: Span, afterMs: number): boolean {
  return outage.fromMs <= span.untilMs && outage.untilMs + afterMs >= span.fromMs;
}

function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = whole.at(-1);
    if (last === undefined || span.fromMs > last.untilMs) whole.push(span);
    else whole[whole.length - 1] = { ...last, untilMs: Math.max(last.untilMs, span.untilMs) };
  }
  return whole;
}

/** The spans that are in both. */
function meet(one: readonly Span[], other: readonly Span[]): Span[] {
  return one.flatMap((a) =>
    other.flatMap((b) => {
      const span = {
        fromMs: Math.max(a.fromMs, b.fromMs),
        untilMs: Math.min(a.untilMs, b.untilMs),
      };
      return span.fromMs <= span.untilMs ? [span] : [];
    }),
  );
}
