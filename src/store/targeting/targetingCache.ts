import type { Target } from '../../domain/job/jobPolicies.ts';
import type { Placement } from '../../domain/targeting/mayTake.ts';
import {
  anyTarget,
  noTarget,
  type Takeable,
  type Targeting,
  takeableOf,
} from '../../domain/targeting/takeable.ts';
import type { Queryable } from '../connection/queryable.ts';
import { integer, jsonOf, nullable, rowOf, text } from '../rows/row.ts';
import { readOpenNodes } from './readLiveNodes.ts';
import { readVersions, sameVersions, type Versions } from './versions.ts';

/**
 * The targeting as it was lately read, by its version: a transaction that holds a stripe, and reads
 * the version that is cached, needs to read no more, since every change of it holds all stripes, or
 * concerns only jobs that nobody has seen yet.
 */
export class TargetingCache {
  #known: Targeting | null = null;
  /** Without versions: it is to be read again. */
  #answer: { readonly versions: Versions | null; readonly takeable: Takeable } | null = null;

  /** What the session may claim now, as far as this reader can see. */
  async takeable(database: Queryable, sessionId: string): Promise<Takeable> {
    return this.takeableAt(database, sessionId, await readVersions(database, sessionId));
  }

  /** What it could claim as it was seen last; null: it never was. */
  get lastTakeable(): Takeable | null {
    return this.#answer?.takeable ?? null;
  }

  isKnown(versions: Versions): boolean {
    const known = this.#answer?.versions ?? null;
    return known !== null && sameVersions(known, versions);
  }

  /**
   * The same, at the versions that were read just now: the nodes are read again, however many there
   * are, only when these are not the known ones.
   */
  async takeableAt(database: Queryable, sessionId: string, versions: Versions): Promise<Takeable> {
    if (this.#answer !== null && this.isKnown(versions)) return this.#answer.takeable;
    const { hasLapsed, nodes } = await readOpenNodes(database, sessionId);
    const targeting = await this.read(database, versions.targeting);
    const takeable = takeableOf(targeting, nodes, sessionId);
    this.#answer = { versions: hasLapsed ? null : versions, takeable };
    return takeable;
  }

  /** The targeting that is in force. */
  async current(database: Queryable): Promise<Targeting> {
    return this.read(database, (await readVersions(database, '')).targeting);
  }

  /** The targeting of the version that the database has just seen. */
  async read(database: Queryable, version: number): Promise<Targeting> {
    if (this.#known?.version === version) return this.#known;
    const targeting = await readTargeting(database, version);
    this.#known = targeting;
    return targeting;
  }
}

/**
 * Reads groups, targets and limits whole: for operators, and a cache that is out of date. With ids
 * of targets: no others.
 */
export async function readTargeting(
  database: Queryable,
  version = 0,
  targetIds?: readonly number[],
): Promise<Targeting> {
  const groups = await database.rows(nodeGroup, selectGroups);
  const where = targetIds === undefined ? '' : ' WHERE target_id IN (?)';
  const ids = [[noTarget, ...(targetIds ?? [])]];
  const targets = await database.rows(targetRow, `${selectTargets}${where}`, ids);
  const limits = await database.rows(groupLimit, selectLimits);
  const placements = new Map<number, Placement>([anyTarget]);
  for (const { targetId, ...row } of targets) {
    placements.set(targetId, placementOfRow(row));
  }
  return {
    version,
    groups: new Map(groups.map(({ groupName, members }) => [groupName, new Set(members)])),
    placements,
    limits: new Map(limits.map(({ groupName, concurrencyMax }) => [groupName, concurrencyMax])),
  };
}

/** What the columns of a row of the table `target` say. */
export function placementOfRow({
  jobGroup,
  userName,
  ...placement
}: Omit<ReturnType<typeof targetRow>, 'targetId'>): Placement {
  return {
    ...placement,
    ...(jobGroup === '' ? {} : { jobGroup }),
    ...(userName === null ? {} : { user: userName }),
  };
}

const nodeGroup = rowOf({ groupName: text, members: jsonOf<readonly string[]>() });
const selectGroups = '/* readTargeting groups */ SELECT group_name, members FROM node_group';
const targetRow = rowOf({
  targetId: integer,
  target: jsonOf<Target>(),
  definitionFormat: integer,
  jobGroup: text,
  userName: nullable(text),
});
const selectTargets = `/* readTargeting targets */ SELECT target_id, target, definition_format,
    job_group, user_name
  FROM target`;
const groupLimit = rowOf({ groupName: text, concurrencyMax: integer });
const selectLimits = `/* readTargeting limits */ SELECT group_name, concurrency_max
  FROM job_group`;
