import { nameCharactersMax } from '../job/checkDefinition.ts';
import { formerProgramOf, shortNames } from './shortName.ts';

/** How a job of a crontab is called. */
export interface JobNames {
  readonly name: string;
  /** As earlier versions called it, where there is no comment: 0.5 by its whole command. */
  readonly formerNames: readonly string[];
  readonly isByComment: boolean;
}

/** Names for the jobs of a crontab: the comment above each, else a short name of its command. */
export function nameJobs(
  jobs: readonly { readonly comment: string | null; readonly command: string }[],
): JobNames[] {
  const commands = jobs.map(({ command }) => command);
  const short = shortNames(commands);
  const formerShort = shortNames(commands, formerProgramOf);
  const [names, of06, of05] = [new UniqueNames(), new UniqueNames(), new UniqueNames()];
  return jobs.map(({ comment, command }, index) => ({
    name: names.make(comment ?? short[index] ?? ''),
    formerNames: [of06.make(comment ?? formerShort[index] ?? ''), of05.make(comment ?? command)],
    isByComment: comment !== null,
  }));
}

/**
 * The comment lines right above a job. A blank line, and a comment that says nothing of the job
 * (the usual header, a drawing of the fields, a job or variable that is commented out), end a
 * block.
 */
export class CommentBlock {
  #first: string | null = null;

  clear(): void {
    this.#first = null;
  }

  add(comment: string): void {
    const text = comment.replace(/^[#\s]+/, '').replace(/[#\s]+$/, '');
    if (isAboutAJob(text)) this.#first ??= text;
    else this.clear();
  }

  /** The first line of the block, for the job below it. */
  take(): string | null {
    const text = this.#first;
    this.clear();
    return text;
  }
}

function isAboutAJob(text: string): boolean {
  return /\p{L}/u.test(text) && !notOfAJob.some((pattern) => pattern.test(text));
}

const item =
  '(?:[-\\d*/,?]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)';

const notOfAJob: readonly RegExp[] = [
  new RegExp(`^(?:${item}+\\s+){5}`, 'i'), // a job, or the picture of one
  /^@[a-z]+\s/,
  new RegExp(`^[^:]*:\\s*(?:(?:${item}+\\s+){5}|@[a-z]+\\s)`, 'i'), // switched off by a word
  /^[a-z_]\w*\s*=/i, // a variable
  /^(?:\/etc\/cron|\/var\/spool\/cron)/, // the path of the file
  /^\.-{3,}|^\|/, // a drawing of the fields
  /\b(?:dom|day of month)\b.*\b(?:mon|month)\b|^m(?:in(?:ute)?)?\s+h(?:our)?\s/i, // their header
];

/** Shorter than a name may be, so that lists stay readable. */
const charactersMax = 80;

/** Names of jobs, of which each is another one. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  /** Of a name that is taken: a hundred thousand of one would be as many tries for the last. */
  readonly #nextNumbers = new Map<string, number>();

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  add(name: string): void {
    this.#taken.add(name);
  }

  /** Adds a name that is made of a comment or a command. */
  make(text: string): string {
    const base = cleanName(text);
    let name = base;
    for (let number = this.#nextNumbers.get(base) ?? 2; this.has(name); number += 1) {
      name = `${base} ${number}`;
      this.#nextNumbers.set(base, number + 1);
    }
    this.add(name);
    return name;
  }
}

function cleanName(text: string): string {
  const clean = text
    .replace(/[\p{Cc}\p{Surrogate}\u2028\u2029]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.:;,]+$/, '');
  const characters = [...clean];
  const most = Math.min(charactersMax, nameCharactersMax);
  const cut =
    characters.length > most
      ? `${characters
          .slice(0, most - 1)
          .join('')
          .trim()}…`
      : clean;
  return cut === '' ? 'job' : cut;
}
