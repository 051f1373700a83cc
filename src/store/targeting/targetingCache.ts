import type { Target } from '../../domain/jobPolicies.ts';
import type { Placement } from '../../domain/targeting/mayTake.ts';
import {
  anyTarget,
  type Takeable,
  type Targeting,
  takeableOf,
} from '../../domain/targeting/takeable.ts';
import type { Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';
import { readLiveNodes } from './readLiveNodes.ts';

/**
 * The targeting as it was lately read, by its version: a transaction that holds a stripe, and reads
 * the version that is cached, needs to read no more, since every change of it holds all stripes, or
 * concerns only jobs that nobody has seen yet.
 */
export class TargetingCache {
  #known: Targeting | null = null;
  #answer: { readonly key: string; readonly takeable: Takeable } | null = null;

  /** What the session may claim now, as far as this reader can see. */
  async takeable(asker: Queryable, sessionId: string): Promise<Takeable> {
    const live = await readLiveNodes(asker, sessionId);
    const targeting = await this.read(asker, live.version);
    const key = JSON.stringify([targeting.version, sessionId, live.nodes]);
    const known = this.#answer;
    if (known?.key === key) return known.takeable;
    const takeable = takeableOf(targeting, live.nodes, sessionId);
    this.#answer = { key, takeable };
    return takeable;
  }

  /** The targeting that is in force. */
  async current(asker: Queryable): Promise<Targeting> {
    return this.read(asker, (await readLiveNodes(asker)).version);
  }

  /** The targeting of the version that the asker has just seen. */
  async read(asker: Queryable, version: number): Promise<Targeting> {
    if (this.#known?.version === version) return this.#known;
    const targeting = await readTargeting(asker, version);
    this.#known = targeting;
    return targeting;
  }
}

/** Reads groups, targets and limits whole: for operators, and a cache that is out of date. */
export async function readTargeting(asker: Queryable, version = 0): Promise<Targeting> {
  const groupRows = await asker.query<Row[]>(selectGroups);
  const targetRows = await asker.query<Row[]>(selectTargets);
  const limitRows = await asker.query<Row[]>(selectLimits);
  const groups = new Map(
    groupRows.map((row) => [
      row.group_name as string,
      new Set(JSON.parse(row.members as string) as string[]),
    ]),
  );
  const placements = new Map<number, Placement>([anyTarget]);
  for (const row of targetRows) {
    placements.set(row.target_id as number, {
      target: JSON.parse(row.target as string) as Target,
      definitionFormat: row.definition_format as number,
      ...(row.job_group === '' ? {} : { jobGroup: row.job_group as string }),
    });
  }
  const limits = new Map(
    limitRows.map((row) => [row.group_name as string, row.concurrency_max as number]),
  );
  return { version, groups, placements, limits };
}

const selectGroups = '/* readTargeting groups */ SELECT group_name, members FROM node_group';
const selectTargets = `/* readTargeting targets */ SELECT target_id, target, definition_format,
    job_group
  FROM target`;
const selectLimits = `/* readTargeting limits */ SELECT group_name, concurrency_max
  FROM job_group`;
