import type { JobDefinition } from '../job/jobDefinition.ts';
import type { JobNames } from './nameJob.ts';
import type { JobReading } from './readCrontab.ts';
import { baseOf, programOf } from './shortName.ts';

/** What an import says of its jobs; null: it is left open. */
export interface ImportPlace {
  /** Whose crontab it is; null: that of each line, if it names one. */
  readonly user: string | null;
  readonly group: string | null;
  /** The node that the jobs are to run on. */
  readonly onNode: string | null;
}

/** Whose crontab is imported, and how. */
export interface ImportSource extends ImportPlace {
  /** `HOST:PATH` */
  readonly origin: string;
  /** It has a path of its own: what stands on standard input may be another crontab each time. */
  readonly isFile: boolean;
  /** Stands before every name. */
  readonly prefix: string;
}

type Line = Pick<JobReading, 'job' | 'names'>;

/**
 * The name of the job that each line is, or will be. A line is the job of the same command that was
 * imported before, also where its name would be another one now: names depend on the other lines,
 * and earlier versions named otherwise. Else it is the job of its name, if that can be
 * the same line with another command; else a new one. A job of another user, group or node is the
 * line of another crontab, unless only its group or node differs and it came from the same file, or
 * with the same command from this machine.
 * @param asked is given every name that it matters of whether there is a job
 */
export function recogniseJobs(
  lines: readonly Line[],
  present: readonly JobDefinition[],
  source: ImportSource,
  asked: Set<string> = new Set(),
): string[] {
  const known = new KnownJobs(present, source, asked);
  const found: (string | null)[] = lines.map((line) => known.takeMadeByHand(line));
  const ways = [
    (line: Line) => known.takeSameCommand(line, true),
    (line: Line) => known.takeSameCommand(line, false),
    (line: Line) => known.takeSameName(line),
  ];
  for (const take of ways) {
    for (const [index, line] of lines.entries()) found[index] ??= take(line);
  }
  return lines.map((line, index) => found[index] ?? known.newName(line));
}

/** Jobs that are there; each is taken by one line at most. */
class KnownJobs {
  readonly #source: ImportSource;
  readonly #byName: ReadonlyMap<string, JobDefinition>;
  readonly #byCommand = new Map<string, JobDefinition[]>();
  readonly #taken = new Set<string>();
  readonly #asked: Set<string>;

  constructor(present: readonly JobDefinition[], source: ImportSource, asked: Set<string>) {
    this.#source = source;
    this.#asked = asked;
    this.#byName = new Map(present.map((job) => [job.name, job]));
    for (const job of present) {
      const same = this.#byCommand.get(job.command);
      if (same === undefined) this.#byCommand.set(job.command, [job]);
      else same.push(job);
    }
  }

  /** A comment names a job in so many words. */
  takeMadeByHand({ names }: Line): string | null {
    const named = this.#named(this.#source.prefix + names.name);
    return names.isByComment && named?.origin === undefined ? this.#take(named) : null;
  }

  takeSameCommand({ job, names }: Line, isSameSchedule: boolean): string | null {
    const wanted = this.#namesOf(names);
    const same = (this.#byCommand.get(job.command) ?? []).filter(
      (other) =>
        !this.#taken.has(other.name) &&
        (!isSameSchedule || other.schedule === job.schedule) &&
        this.#isOfImport(other, job.user) &&
        this.#mayBeOf(other, { job, names }, wanted),
    );
    return this.#take(same.find(({ name }) => wanted.includes(name)) ?? same[0]);
  }

  /** Imported from this host under a name of this line's, or from elsewhere for the same nodes. */
  #mayBeOf({ name, origin, target }: JobDefinition, line: Line, wanted: string[]): boolean {
    if (origin === undefined) return false;
    const { prefix, onNode } = this.#source;
    if (hostOf(origin) !== hostOf(this.#source.origin)) {
      const isSameNode = onNode === null || target?.nodes?.join() === onNode;
      return isSameNode && wanted.includes(name);
    }
    const bare = withoutNumber(name);
    if (wanted.some((each) => withoutNumber(each) === bare)) return true;
    const base = prefix + baseOf(programOf(line.job.command).path);
    return bare === base || name.startsWith(`${base} `);
  }

  takeSameName({ job, names }: Line): string | null {
    const wanted = this.#namesOf(names);
    for (const name of names.isByComment ? wanted.slice(0, 1) : wanted) {
      const named = this.#ofPlace(name, job.user);
      if (named === undefined || this.#taken.has(named.name)) continue;
      const isPresentName = name === wanted[0];
      if (names.isByComment || this.#isEdited(named, job, isPresentName)) return this.#take(named);
    }
    return null;
  }

  /**
   * Imported from this machine its group and node may have been edited since: then it is not run
   * twice under a second name, and whoever imports is to decide.
   */
  #isOfImport(job: JobDefinition, user: string | null): boolean {
    const isFromHere = hostOf(job.origin ?? '') === hostOf(this.#source.origin);
    return isFromHere ? isSameUser(job, user) : isOfPlace(job, { ...this.#source, user });
  }

  /** The job of this name, or with a number, since others have the name. */
  #ofPlace(name: string, lineUser: string | null): JobDefinition | undefined {
    let named = this.#named(name);
    // Of the same system crontab it is the line, of which the user was edited.
    const isOther = (job: JobDefinition): boolean =>
      this.#isSameFile(job)
        ? !isSameUser(job, this.#source.user)
        : !isOfPlace(job, { ...this.#source, user: lineUser });
    for (let number = 2; named !== undefined && isOther(named); number += 1)
      named = this.#named(`${name} ${number}`);
    return named;
  }

  #isSameFile(job: JobDefinition): boolean {
    return isOfFile(job, this.#source);
  }

  /** What it may be called, its present name first. */
  #namesOf({ name, formerNames }: JobNames): string[] {
    const wanted = [name, ...formerNames].map((each) => this.#source.prefix + each);
    for (const each of wanted) this.#asked.add(each);
    return wanted;
  }

  #named(name: string): JobDefinition | undefined {
    this.#asked.add(name);
    return this.#byName.get(name);
  }

  /**
   * It is the same program of the same crontab, called otherwise; or somebody has given the job
   * another one since it was named.
   */
  #isEdited(named: JobDefinition, { command, user }: Line['job'], isPresentName: boolean): boolean {
    if (!this.#isSameFile(named) && (user === null || named.user !== user)) return false;
    const [own, its] = [programOf(command).path, programOf(named.command).path];
    const isSame = own === its || (isPresentName && baseOf(own) !== baseOf(its));
    return isSame && isSameUser(named, user);
  }

  newName({ names }: Line): string {
    const wanted = this.#source.prefix + names.name;
    let name = wanted;
    // One that was made by hand is not evaded: whoever imports is to decide about it.
    const isOther = (): boolean => this.#named(name)?.origin !== undefined;
    for (let number = 2; this.#taken.has(name) || isOther(); number += 1) {
      name = `${wanted} ${number}`;
    }
    this.#taken.add(name);
    return name;
  }

  #take(job: JobDefinition | undefined): string | null {
    if (job === undefined) return null;
    this.#taken.add(job.name);
    return job.name;
  }
}

/**
 * Whether a job can be of an import with this user, group and node. What one of the two leaves open
 * does not tell them apart: it may have been given since.
 */
export function isOfPlace(job: JobDefinition, { user, group, onNode }: ImportPlace): boolean {
  const nodes = job.target?.nodes?.join();
  const isSameGroup = group === null || (job.group ?? group) === group;
  const isSameNode = onNode === null || (nodes ?? onNode) === onNode;
  return isSameUser(job, user) && isSameGroup && isSameNode;
}

/** Whether a job was imported from this very file. */
export function isOfFile(
  job: JobDefinition,
  { isFile, origin }: Pick<ImportSource, 'isFile' | 'origin'>,
): boolean {
  return isFile && job.origin === origin;
}

/** Imported without a user, a job may have got one since. */
function isSameUser(known: JobDefinition, user: string | null): boolean {
  return user === null || known.user === undefined || known.user === user;
}

/** The machine that a crontab was imported on. */
export function hostOf(origin: string): string {
  return origin.slice(0, origin.indexOf(':'));
}

function withoutNumber(name: string): string {
  return name.replace(/ \d+$/, '');
}
