import { isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { jobFields, pauseFields } from '../job/fields.ts';
import type { Field } from '../job/fieldTable/field.ts';
import type { PauseFields } from '../job/jobPause.ts';
import type { JobFields } from '../job/jobPolicies.ts';
import { type RawValue, readField } from '../job/readField.ts';
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
  /** The namespace of the jobs that name none; null: the file says none. */
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
    for (const pair of isMap(root) ? this.#pairsOf(null, root.items) : []) {
      const [key, line] = [this.#keyOf(pair.key), this.#parsed.lineOf(pair.key)];
      const value = this.#parsed.resolve(pair.value);
      if (key === 'group' && isScalar(value)) group = this.#keyOf(value);
      else if (key === 'jobs' && isMap(value)) jobs = this.#readJobs(value);
      else if (key === 'jobs' && this.#isNothing(pair)) jobs = [];
      else this.#fault(line, null, `${JSON.stringify(key)}: ${wantedRoot}`);
    }
    return { group, jobs, faults: this.#faults };
  }

  #readJobs({ items }: YAMLMap): FileJob[] {
    const last = items.at(jobsMax);
    if (last !== undefined) {
      this.#fault(this.#parsed.lineOf(last.key), null, `more than ${jobsMax} jobs are in it`);
    }
    return this.#pairsOf(null, items.slice(0, jobsMax)).flatMap((pair) => {
      const [name, line] = [this.#keyOf(pair.key), this.#parsed.lineOf(pair.key)];
      const fields = this.#parsed.resolve(pair.value);
      if (isMap(fields)) return [this.#readJob(name, line, fields)];
      this.#fault(line, name, 'its fields are needed below it: cron: …, command: …');
      return [];
    });
  }

  #readJob(name: string, line: number, map: YAMLMap): FileJob {
    const fields: Record<string, unknown> = {};
    const lines = new Map<string, number>();
    for (const pair of this.#pairsOf(name, map.items)) {
      const key = this.#keyOf(pair.key);
      const keyLine = this.#parsed.lineOf(pair.key);
      const field = knownFields.find((each) => each.flag === key);
      if (field === undefined) this.#fault(keyLine, name, unknownField(key));
      else {
        lines.set(key, keyLine);
        this.#readField(name, keyLine, field, pair, fields);
      }
    }
    return { name, line, fields: fields as FileJob['fields'], lines };
  }

  #readField(
    name: string,
    line: number,
    field: Field,
    pair: Pair,
    fields: Record<string, unknown>,
  ): void {
    try {
      if (this.#isNothing(pair)) return;
      const value = readField(field, this.#valueOf(pair));
      if (value !== undefined) fields[field.key] = value;
    } catch (error) {
      const message = (error as Error).message.replace(/\.$/, '');
      this.#fault(line, name, `${field.flag}: ${message}`);
    }
  }

  /** `timeout:` with nothing behind it, or with `~` or `null`, which are no texts of anybody's. */
  #isNothing({ value }: Pair): boolean {
    const node = this.#parsed.resolve(value);
    if (node === null) return true;
    return isScalar(node) && node.type === 'PLAIN' && /^(|~|null)$/.test(String(node.value));
  }

  #valueOf({ value }: Pair): RawValue {
    const node = this.#parsed.resolve(value);
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
  #pairsOf(job: string | null, pairs: readonly Pair[]): Pair[] {
    const keys = new Set<string>();
    try {
      this.#count(pairs.length);
    } catch (error) {
      this.#fault(1, job, (error as Error).message);
      return [];
    }
    return pairs.filter((pair) => {
      const key = this.#keyOf(pair.key);
      if (keys.has(key)) this.#fault(this.#parsed.lineOf(pair.key), job, twice(key));
      return keys.size < keys.add(key).size;
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

const wantedRoot = 'the keys at the top are group: NAME and jobs: with the jobs below it';
const knownFields = [...jobFields, ...pauseFields];
const knownFlags = knownFields.map(({ flag }) => flag).join(', ');

function unknownField(key: string): string {
  return `${JSON.stringify(key)} is no field of a job; the fields are ${knownFlags}`;
}

function twice(key: string): string {
  return `${JSON.stringify(key)} stands twice, and keys are unique`;
}
