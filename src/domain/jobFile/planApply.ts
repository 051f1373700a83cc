import { isDeepStrictEqual } from 'node:util';
import { definitionFormat } from '../job/edit/definitionFormat.ts';
import type { JobPause } from '../job/edit/jobPause.ts';
import { diffFields, type FieldChange } from '../job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../job/jobDefinition.ts';
import { hideSecrets } from '../job/secretEnv.ts';
import type { FileFault } from './parseYaml.ts';

/** What a file wants a job to be. */
export interface WantedJob {
  readonly name: string;
  readonly line: number;
  /** The group that it belongs to. */
  readonly group: string;
  readonly warnings: readonly string[];
  /** What becomes of the definition in force; null: there is no such job yet. */
  readonly define: (current: JobDefinition | null) => JobDefinition;
  /** Null: it is not to be paused; absent: a new job is not, another stays as it is. */
  readonly pause?: JobPause | null;
}

/** What one job needs to become what the file wants. */
export interface PlannedStep {
  readonly action: 'add' | 'edit' | 'unchanged' | 'remove';
  readonly job: string;
  readonly group: string;
  /** The fields that an edit changes. */
  readonly changes: readonly string[];
  /** Of an edit, how: without the values of secrets. */
  readonly diff?: readonly FieldChange[];
  /** Null: it is removed. */
  readonly wanted: WantedJob | null;
}

/** The part of a planned step that is needed to take it. */
export interface StepToDo extends Pick<PlannedStep, 'action' | 'job'> {
  readonly wanted: Pick<WantedJob, 'define' | 'pause'> | null;
}

/** A job as it is now; `pause`: null when there is none. */
export interface PresentJob {
  readonly definition: JobDefinition;
  readonly pause: JobPause | null;
}

/** What is there now. */
interface PresentJobs {
  /** By name: those that the file names, also as upstreams, and those that may be removed. */
  readonly jobs: ReadonlyMap<string, PresentJob>;
  /** Names of the jobs of the file's groups that would be removed if the file lacks them. */
  readonly removable: readonly string[];
}

/** The definitions alone. */
export function definitionsOf(
  jobs: ReadonlyMap<string, PresentJob>,
): ReadonlyMap<string, JobDefinition> {
  return new Map([...jobs].map(([name, { definition }]) => [name, definition]));
}

/** Where a job was imported from is no field of its file, and stays. */
export function withOrigin(
  definition: JobDefinition,
  current: JobDefinition | null,
): JobDefinition {
  const { origin } = current ?? {};
  return origin === undefined ? definition : { ...definition, origin };
}

/**
 * The steps from what is there to what the file wants, in an order in which each can be done: a job
 * after those that it follows, removals last and followers first, else as they stood. Nothing is
 * planned for a file with faults.
 */
export function planApply(
  wanted: readonly WantedJob[],
  present: PresentJobs,
): { readonly steps: readonly PlannedStep[]; readonly faults: readonly FileFault[] } {
  const faults: FileFault[] = [];
  const defined = new Map<string, JobDefinition>();
  for (const job of wanted) {
    const current = present.jobs.get(job.name)?.definition ?? null;
    const refusal = refusalOf(job, current);
    if (refusal !== null) faults.push({ line: job.line, job: job.name, message: refusal });
    defined.set(job.name, job.define(current));
  }
  const removed = present.removable.filter((name) => !defined.has(name));
  const known = new Set([...defined.keys(), ...present.jobs.keys()]);
  faults.push(...findFaults(wanted, defined, { removed, known }));
  if (faults.length > 0) return { steps: [], faults };
  const byName = new Map(wanted.map((job) => [job.name, job]));
  const kept = followOrder(defined.values()).ordered.map(({ name }): PlannedStep => {
    const job = byName.get(name) as WantedJob;
    return stepOf(job, present.jobs.get(name) ?? null, defined.get(name) as JobDefinition);
  });
  const gone = removed.flatMap((name) => present.jobs.get(name)?.definition ?? []);
  const { ordered } = followOrder(gone.reverse());
  const removals = ordered.toReversed().map(
    ({ name, group = 'default' }): PlannedStep => ({
      ...{ action: 'remove', job: name, group, changes: [], wanted: null },
    }),
  );
  return { steps: [...kept, ...removals], faults: [] };
}

function stepOf(wanted: WantedJob, current: PresentJob | null, next: JobDefinition): PlannedStep {
  const { name: job, group, pause } = wanted;
  if (current === null) return { action: 'add', job, group, changes: [], wanted };
  const isSamePause = pause === undefined || isDeepStrictEqual(pause, current.pause);
  const paused = isSamePause ? [] : ['paused'];
  if (isDeepStrictEqual(current.definition, next)) {
    return { action: isSamePause ? 'unchanged' : 'edit', job, group, changes: paused, wanted };
  }
  const changes = diffFields(current.definition, next, 'flag').map(({ field }) => field);
  const diff = diffFields(hideSecrets(current.definition), hideSecrets(next), 'flag');
  return { action: 'edit', job, group, changes: [...changes, ...paused], diff, wanted };
}

/** A name is one job's in the whole cluster: no file takes a job out of another's group. */
function refusalOf({ group }: WantedJob, current: JobDefinition | null): string | null {
  if (current === null) return null;
  const { group: owner = 'default', format = 1 } = current;
  if (owner !== group) {
    return `a job of this name belongs to the group ${owner}; statecron job edit --group moves it`;
  }
  return format > definitionFormat ? 'a newer version made it; upgrade this one first' : null;
}

function findFaults(
  wanted: readonly WantedJob[],
  defined: ReadonlyMap<string, JobDefinition>,
  others: { readonly removed: readonly string[]; readonly known: ReadonlySet<string> },
): FileFault[] {
  const { cycle } = followOrder(defined.values());
  return wanted.flatMap(({ name, line }): FileFault[] => {
    const messages = (defined.get(name)?.after ?? []).flatMap(({ job }) => {
      const shown = JSON.stringify(job);
      if (!others.known.has(job)) return [`after: there is no job ${shown}`];
      if (!others.removed.includes(job)) return [];
      return [`after: ${shown} would be removed, as it is not in the file`];
    });
    if (messages.length === 0 && cycle?.[0] === name) {
      const round = [...cycle, name].map((each) => JSON.stringify(each)).join(' → ');
      messages.push(`after: the jobs follow each other in a circle: ${round}`);
    }
    return messages.map((message) => ({ line, job: name, message }));
  });
}

interface FollowOrder {
  /** Each after those that it follows; else as they stood. */
  readonly ordered: readonly JobDefinition[];
  /** The names of jobs of which each follows the next, and the last the first; null: none do. */
  readonly cycle: readonly string[] | null;
}

/**
 * Puts jobs in an order in which each can be made. Goes up from each job to what it follows without
 * calling itself, as a file may have a chain of more jobs than a stack bears.
 */
export function followOrder(definitions: Iterable<JobDefinition>): FollowOrder {
  const byName = new Map([...definitions].map((definition) => [definition.name, definition]));
  const ordered = new Set<JobDefinition>();
  let cycle: readonly string[] | null = null;
  const way: { readonly definition: JobDefinition; next: number }[] = [];
  const onWay = new Set<string>();
  const enter = (definition: JobDefinition): void => {
    way.push({ definition, next: 0 });
    onWay.add(definition.name);
  };
  for (const first of byName.values()) {
    if (!ordered.has(first)) enter(first);
    for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
      const { definition } = step;
      const name = definition.after?.[step.next]?.job;
      step.next += 1;
      if (name === undefined) {
        way.pop();
        onWay.delete(definition.name);
        ordered.add(definition);
        continue;
      }
      const upstream = byName.get(name);
      if (upstream === undefined || ordered.has(upstream)) continue;
      if (!onWay.has(name)) enter(upstream);
      else cycle ??= [...onWay].slice([...onWay].indexOf(name));
    }
  }
  return { ordered: [...ordered], cycle };
}
