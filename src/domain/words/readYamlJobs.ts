import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { FileFault } from './fileFault.ts';
import { isTooDeep } from './isTooDeep.ts';
import type { JobFlag } from './jobFlag.ts';
import { jobFlags, propertyOf } from './jobFlags.ts';
import type { JobWords } from './jobWords.ts';
import { type RawValue, readWord } from './readWord.ts';

/** A job of a file, in words that have been read one by one. */
export interface FileJob {
  readonly name: string;
  readonly line: number;
  readonly words: JobWords;
  /** Where each word stands, by its flag. */
  readonly lines: ReadonlyMap<string, number>;
}

export interface YamlJobs {
  /** The namespace of the jobs that name none; null: the file says none. */
  readonly group: string | null;
  readonly jobs: readonly FileJob[];
  readonly faults: readonly FileFault[];
}

const jobsMax = 10_000;

/**
 * Reads a file of jobs: `group: NAME`, and under `jobs:` each job's name with its words, which are
 * the flags of `job add`. All scalars are texts (`umask: 027`), no word may stand twice, and every
 * fault is found, not only the first.
 */
export function readYamlJobs(text: string): YamlJobs {
  if (isTooDeep(text)) {
    const message = 'it is nested too deeply to be a file of jobs';
    return { group: null, jobs: [], faults: [{ line: 1, job: null, message }] };
  }
  const counter = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: counter });
  const faults = document.errors.map(faultOf);
  if (faults.length > 0) return { group: null, jobs: [], faults };
  const read = new Reader(document, counter).read();
  // A warning is a tag that nobody knows: what is behind it is not what was meant.
  return { ...read, faults: [...document.warnings.map(faultOf), ...read.faults] };
}

function faultOf({ linePos, message }: Document['warnings'][number]): FileFault {
  const [line = 'it is no YAML'] = message.split('\n', 1);
  return { line: linePos?.[0].line ?? 1, job: null, message: line };
}

class Reader {
  readonly #document: Document;
  readonly #counter: LineCounter;
  readonly #faults: FileFault[] = [];

  constructor(document: Document, counter: LineCounter) {
    this.#document = document;
    this.#counter = counter;
  }

  read(): YamlJobs {
    const root = this.#document.contents;
    let group: string | null = null;
    let jobs: FileJob[] = [];
    if (root !== null && !isMap(root)) this.#fault(1, null, wantedRoot);
    for (const pair of isMap(root) ? root.items : []) {
      const [key, line] = [this.#keyOf(pair.key), this.#lineOf(pair.key)];
      const value = this.#resolve(pair.value);
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
      this.#fault(this.#lineOf(last.key), null, `more than ${jobsMax} jobs are in it`);
    }
    return items.slice(0, jobsMax).flatMap((pair) => {
      const [name, line] = [this.#keyOf(pair.key), this.#lineOf(pair.key)];
      const words = this.#resolve(pair.value);
      if (isMap(words)) return [this.#readJob(name, line, words)];
      this.#fault(line, name, 'its words are wanted below it: cron: …, command: …');
      return [];
    });
  }

  #readJob(name: string, line: number, map: YAMLMap): FileJob {
    const words: Record<string, unknown> = {};
    const lines = new Map<string, number>();
    for (const pair of map.items) {
      const key = this.#keyOf(pair.key);
      const keyLine = this.#lineOf(pair.key);
      const flag = jobFlags.find((each) => each.flag === key);
      if (flag === undefined) this.#fault(keyLine, name, unknownWord(key));
      else {
        lines.set(key, keyLine);
        this.#readWord(name, keyLine, flag, pair, words);
      }
    }
    return { name, line, words: words as JobWords, lines };
  }

  #readWord(
    name: string,
    line: number,
    flag: JobFlag,
    pair: Pair,
    words: Record<string, unknown>,
  ): void {
    try {
      if (this.#isNothing(pair)) return;
      const value = readWord(flag, this.#valueOf(pair));
      if (value !== undefined) words[propertyOf(flag.flag)] = value;
    } catch (error) {
      const message = (error as Error).message.replace(/\.$/, '');
      this.#fault(line, name, `${flag.flag}: ${message}`);
    }
  }

  /** `timeout:` with nothing behind it, or with `~` or `null`, which are no texts of anybody's. */
  #isNothing({ value }: Pair): boolean {
    const node = this.#resolve(value);
    if (node === null) return true;
    return isScalar(node) && node.type === 'PLAIN' && /^(|~|null)$/.test(String(node.value));
  }

  #valueOf({ value }: Pair): RawValue {
    const node = this.#resolve(value);
    if (isSeq(node)) return node.items.map((item) => this.#textOf(item));
    if (!isMap(node)) return this.#textOf(node);
    return new Map(node.items.map((pair) => [this.#textOf(pair.key), this.#textOf(pair.value)]));
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  /** @throws Error when it is no text. */
  #textOf(node: unknown): string {
    const resolved = this.#resolve(node);
    if (resolved === null || resolved === undefined) return '';
    if (isScalar(resolved)) return String(resolved.value ?? '');
    throw new Error('a text is wanted, not a list or a block');
  }

  /** A key that is no text is no name or word of anybody's. */
  #keyOf(node: unknown): string {
    const resolved = this.#resolve(node);
    return isScalar(resolved) ? String(resolved.value ?? '') : '?';
  }

  #lineOf(node: unknown): number {
    const offset = (node as { range?: readonly number[] | null } | null)?.range?.[0];
    return offset === undefined ? 1 : this.#counter.linePos(offset).line;
  }

  #fault(line: number, job: string | null, message: string): void {
    this.#faults.push({ line, job, message });
  }
}

const wantedRoot = 'the words at the top are group: NAME and jobs: with the jobs below it';

function unknownWord(key: string): string {
  const words = jobFlags.map(({ flag }) => flag).join(', ');
  return `${JSON.stringify(key)} is no word of a job; they are ${words}`;
}
