import type { JobReading } from '../../domain/crontab/readCrontab.ts';
import { hostOf, type ImportSource, recogniseJobs } from '../../domain/crontab/recogniseJobs.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';

interface Recognised {
  /** The name of the job that each line is, or will be. */
  readonly found: readonly string[];
  /** Of the jobs that are there those that the lines may be, and all that were imported here. */
  readonly present: ReadonlyMap<string, JobDefinition>;
  /** Every job is among them. */
  readonly isAll: boolean;
}

/**
 * Finds the jobs that lines are among those that were imported on this machine, and those whose
 * names they may have. These are looked up until no further name is asked for, since which number a
 * name gets depends on the jobs that have it. Operator null: nothing is there.
 */
export async function recognisePresent(
  operator: ApiOperator | null,
  lines: readonly JobReading[],
  source: ImportSource,
): Promise<Recognised> {
  const imported = (await operator?.readImported(hostOf(source.origin))) ?? noJobs;
  const { isAll } = imported;
  const present = new Map(imported.definitions.map((job) => [job.name, job]));
  const looked = new Set<string>();
  for (let round = 1; ; round += 1) {
    const asked = new Set<string>();
    const ofPrefix = [...byName(present).values()].filter(({ name }) =>
      name.startsWith(source.prefix),
    );
    const found = recogniseJobs(lines, ofPrefix, source, asked);
    const names = round === 1 ? [...asked] : [...asked].flatMap(withNext);
    const unknown = [...new Set(names)].filter((name) => !looked.has(name) && !present.has(name));
    const more = isAll ? noDefinitions : await operator?.readDefinitions(unknown);
    if (more === undefined || more.size === 0) return { found, present: byName(present), isAll };
    for (const name of unknown) looked.add(name);
    for (const [name, { definition }] of more) present.set(name, definition);
  }
}

const noJobs = { definitions: [], isAll: true };
const noDefinitions: ReadonlyMap<string, PresentJob> = new Map();

/** As a list of all jobs has them: who of several is taken depends on it. */
function byName(jobs: ReadonlyMap<string, JobDefinition>): Map<string, JobDefinition> {
  return new Map([...jobs].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Of a name with a number also those that are asked for next. */
function withNext(name: string): string[] {
  const [, base, digits] = /^(.+ )(\d+)$/.exec(name) ?? [];
  if (base === undefined) return [name];
  const number = Number(digits);
  const more = Math.min(number, numbersMax);
  return Array.from({ length: more + 1 }, (_, index) => `${base}${number + index}`);
}

const numbersMax = 100;
