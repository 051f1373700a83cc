import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import type { PauseFields } from '../job/edit/jobPause.ts';
import { jobFields, pauseFields } from '../job/fields.ts';
import type { JobFields } from '../job/jobPolicies.ts';
import { type RawValue, readField } from '../job/readField.ts';
import { didYouMean } from '../text/didYouMean.ts';
import { type FileFault, faultsMax, isTooDeep, type ParsedYaml, parseYaml } from './parseYaml.ts';

/** A job of a file, with its fields. */
export interface FileJob {
  readonly name: string;
  readonly line: number;
  readonly fields: JobFields & PauseFields;
  /** Where each field stands, by its flag. */
  readonly lines: ReadonlyMap<string, number>;
}

interface YamlJobs {
  /** The group of the jobs that name none; null: the file says none. */
  readonly group: string | null;
  readonly jobs: readonly FileJob[];
  readonly faults: readonly FileFault[];
}

const jobsMax = 10_000;
/** What stands once and is meant often by aliases: so many entries more than characters. */
const repeatedMax = 300_000;

/**
 * Reads a file of jobs: `group: NAME`, and under `jobs:` each job's name with its fields, which are
 * the flags of `job add`. All scalars are texts (`umask: 027`), no field may stand twice, and every
 * fault is found, not only the first.
 */
export function readYamlJobs(text: string): YamlJobs {
  if (isTooDeep(text)) {
    const message = 'it is nested too deeply to be a file of jobs';
    return { group: null, jobs: [], faults: [{ line: 1, job: null, message }] };
  }
  const parsed = parseYaml(text);
  if (parsed.errors.length > 0) return { group: null, jobs: [], faults: parsed.errors };
  const read = new Reader(parsed, text.length + repeatedMax).read();
  // A warning is a tag that nobody knows: what is behind it is not what was meant.
  return { ...read, faults: [...parsed.warnings, ...read.faults] };
}

/** An entry of a map: what an alias stands for in place of it. */
interface Entry {
  readonly key: string;
  readonly line: number;
  readonly node: unknown;
}

class Reader {
  readonly #parsed: ParsedYaml;
  readonly #faults: FileFault[] = [];
  #entriesLeft: number;

  constructor(parsed: ParsedYaml, entriesMax: number) {
    this.#parsed = parsed;
    this.#entriesLeft = entriesMax;
  }

  read(): YamlJobs {
    const root = this.#parsed.contents;
    let group: string | null = null;
    let jobs: FileJob[] = [];
    if (root !== null && !isMap(root)) this.#fault(1, null, wantedRoot);
    for (const { key, line, node } of isMap(root) ? this.#entriesOf(null, root.items) : []) {
      if (key === 'group' && isScalar(node)) group = this.#keyOf(node);
      else if (key === 'jobs' && isMap(node)) jobs = this.#readJobs(node);
      else if (key === 'jobs' && isNothing(node)) jobs = [];
      else if (key === 'jobs' && isSeq(node)) this.#fault(line, null, noList);
      else this.#fault(line, null, `${JSON.stringify(key)}: ${wantedRoot}`);
    }
    return { group, jobs, faults: this.#faults };
  }

  #readJobs({ items }: YAMLMap): FileJob[] {
    const last = items.at(jobsMax);
    if (last !== undefined) {
      this.#fault(this.#parsed.lineOf(last.key), null, `more than ${jobsMax} jobs are in it`);
    }
    return this.#entriesOf(null, items.slice(0, jobsMax)).flatMap(({ key: name, line, node }) => {
      if (isMap(node)) return [this.#readJob(name, line, node)];
      this.#fault(line, name, 'its fields are needed below it: cron: …, command: …');
      return [];
    });
  }

  #readJob(name: string, line: number, map: YAMLMap): FileJob {
    const fields: Record<string, unknown> = {};
    const lines = new Map<string, number>();
    for (const { key, line: keyLine, node } of this.#entriesOf(name, map.items)) {
      const field = knownFields.find((each) => each.flag === key);
      if (field === undefined) {
        const isShown = this.#faults.length < meantMax;
        this.#fault(keyLine, name, unknownField(key, isShown ? knownFlags : []));
        continue;
      }
      lines.set(key, keyLine);
      try {
        const value = isNothing(node) ? undefined : readField(field, this.#valueOf(node));
        if (value !== undefined) fields[field.key] = value;
      } catch (error) {
        this.#fault(keyLine, name, `${key}: ${(error as Error).message.replace(/\.$/, '')}`);
      }
    }
    return { name, line, fields: fields as FileJob['fields'], lines };
  }

  #valueOf(node: unknown): RawValue {
    if (isSeq(node)) {
      this.#count(node.items.length);
      return node.items.map((item) => this.#textOf(item));
    }
    if (!isMap(node)) return this.#textOf(node);
    this.#count(node.items.length);
    const texts = new Map<string, string>();
    for (const pair of node.items) {
      const key = this.#textOf(pair.key);
      if (texts.has(key)) throw new Error(twice(key));
      texts.set(key, this.#textOf(pair.value));
    }
    return texts;
  }

  /** The entries of a map; of a key that stands twice, which is a fault, only the first. */
  #entriesOf(job: string | null, pairs: readonly Pair[]): Entry[] {
    const keys = new Set<string>();
    try {
      this.#count(pairs.length);
    } catch (error) {
      this.#fault(1, job, (error as Error).message);
      return [];
    }
    return pairs.flatMap((pair) => {
      const [key, line] = [this.#keyOf(pair.key), this.#parsed.lineOf(pair.key)];
      const isSecond = keys.size === keys.add(key).size;
      if (isSecond) this.#fault(line, job, twice(key));
      return isSecond ? [] : [{ key, line, node: this.#parsed.resolve(pair.value) }];
    });
  }

  /**
   * Counts what is read, which is more than what stands there when aliases repeat it.
   * @throws Error when little text has become too much.
   */
  #count(entries: number): void {
    this.#entriesLeft -= entries;
    if (this.#entriesLeft < 0) throw new Error('its aliases repeat too much');
  }

  /** @throws Error when it is no text. */
  #textOf(node: unknown): string {
    const resolved = this.#parsed.resolve(node);
    if (resolved === null || resolved === undefined) return '';
    if (isScalar(resolved)) return String(resolved.value ?? '');
    throw new Error('a text is wanted, not a list or a block');
  }

  /** A key that is no text names nothing. */
  #keyOf(node: unknown): string {
    const resolved = this.#parsed.resolve(node);
    return isScalar(resolved) ? String(resolved.value ?? '') : '?';
  }

  /** Only the first ones are reported. */
  #fault(line: number, job: string | null, message: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push({ line, job, message });
  }
}

/** `timeout:` with nothing behind it, or with `~` or `null`, which are no texts of anybody's. */
function isNothing(node: unknown): boolean {
  if (node === null) return true;
  return isScalar(node) && node.type === 'PLAIN' && /^(|~|null)$/.test(String(node.value));
}

const wantedRoot = 'the keys at the top are group: NAME and jobs: with the jobs below it';
const noList = 'jobs is a list: write each as NAME: with its fields below it, not as - name: NAME';
const knownFields = [...jobFields, ...pauseFields];
/** To look for names that are near takes time; so many faults are what people read. */
const meantMax = 20;
const knownFlags = knownFields.map(({ flag }) => flag);
const allFlags = knownFlags.join(', ');

/** @param flags those that may have been meant */
function unknownField(key: string, flags: readonly string[]): string {
  const meant = didYouMean(key, flags);
  const what = `${JSON.stringify(key)} is no field of a job`;
  return meant === '' ? `${what}; the fields are ${allFlags}` : `${what}.${meant}`;
}

function twice(key: string): string {
  return `${JSON.stringify(key)} stands twice, and keys are unique`;
}
