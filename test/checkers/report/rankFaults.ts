import { spanText } from '../accuse.ts';
import type { FaultRecord } from '../history.ts';
import type { Span } from '../outages.ts';
import type { Rule } from '../violation.ts';
import { effects, familyOf, weightOf } from './faultFamilies.ts';

/** What a broken promise is about: when, where, and whose sessions ended meanwhile. */
export interface Concern extends Span {
  readonly rule: Rule;
  readonly nodes: readonly string[];
  readonly sessionEnds: readonly { readonly node: string; readonly atMs: number }[];
}

export interface RankedFault {
  readonly fault: FaultRecord;
  /** 0: it was there, and cannot have led to a breach of this rule. */
  readonly score: number;
  /** Why it may have mattered, as sentences. */
  readonly why: string;
}

/** Nodes, members and locks that a fault names. */
export function targetsOf({ target }: FaultRecord): string[] {
  return target.split(/[\s,+]+/);
}

/**
 * The faults that were in effect while what a broken promise is about went on, or so shortly before
 * that the system was still recovering; first the one that most likely led to it. What counts is
 * whether such a fault can lead to a breach of the rule, whether it struck a node concerned,
 * whether it lasted at that time, and whether it ended a session there. It is a guess, and says
 * why.
 */
export function rankFaults(
  faults: readonly FaultRecord[],
  concern: Concern,
  boundMs: number,
): RankedFault[] {
  return faults
    .filter(({ fromMs, untilMs }) => {
      return fromMs <= concern.untilMs && untilMs + boundMs >= concern.fromMs;
    })
    .map((fault) => rank(fault, concern, boundMs))
    .sort((a, b) => b.score - a.score || b.fault.fromMs - a.fault.fromMs);
}

function rank(fault: FaultRecord, concern: Concern, boundMs: number): RankedFault {
  const { rule, nodes, sessionEnds } = concern;
  const struck = nodes.filter((node) => targetsOf(fault).includes(node));
  const weight = weightOf(rule, fault.kind);
  const gapMs = concern.fromMs - fault.untilMs;
  const inTime = gapMs <= 0 ? 3 : 2 * (1 - gapMs / boundMs);
  const [ended] = sessionEnds
    .filter(({ node, atMs }) => {
      const isAfter = atMs >= fault.fromMs && atMs <= fault.untilMs + boundMs;
      return struck.includes(node) && isAfter && atMs <= concern.untilMs;
    })
    .sort((a, b) => a.atMs - b.atMs);
  const place = placeOf(fault, struck);
  const score = weight === 0 ? 0 : weight + inTime + place.points + (ended === undefined ? 0 : 2);
  const family = familyOf(fault.kind);
  const when =
    gapMs <= 0 ? 'It was in effect meanwhile' : `It had ended ${spanText(gapMs)} before, at most`;
  const session =
    ended === undefined
      ? ''
      : `, and a session of node ${ended.node} was ended ` +
        `${spanText(ended.atMs - fault.fromMs)} after it began`;
  const effect =
    family === null || weight === 0
      ? `Such a fault is not known to lead to a breach of ${rule}.`
      : `Such a fault ${effects[family]}.`;
  return { fault, score, why: `${when}, ${place.says}${session}. ${effect}` };
}

function placeOf(
  fault: FaultRecord,
  struck: readonly string[],
): { readonly points: number; readonly says: string } {
  if (struck.length > 0) return { points: 3, says: `on node ${struck.join(' and ')}` };
  if (fault.stops === 'everything') return { points: 2, says: 'for all nodes' };
  return { points: 0, says: `on ${fault.target}, which is not known to be concerned` };
}
