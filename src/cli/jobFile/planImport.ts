import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type CrontabLine, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type CrontabFormat, splitPercent } from '../../domain/crontab/readJobLine.ts';
import {
  hostOf,
  type ImportPlace,
  isOfFile,
  isOfPlace,
} from '../../domain/crontab/recogniseJobs.ts';
import { lineCommand } from '../../domain/crontab/runByShell.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { mergeFields } from '../../domain/job/edit/mergeFields.ts';
import { diffFields } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { hideSecrets } from '../../domain/job/secretEnv.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { GoneJobs, ImportPlan, Numbered, PlannedLine } from './importPlan.ts';
import { wantedLine } from './readJobFile.ts';
import { recognisePresent } from './recognisePresent.ts';

/**
 * Reads all lines and compares them with what is there; operator null: nothing is compared.
 * `twice`: jobs from here before that a line was, which is another job now. `guessed`: those of
 * lines that have no comment above them.
 */
export async function planImport(
  operator: ApiOperator | null,
  text: string,
  format: CrontabFormat,
  plan: ImportPlan,
): Promise<
  { planned: PlannedLine[]; gone: GoneJobs[]; numbered: Numbered[]; twice: string[] } & {
    guessed: ReadonlySet<string>;
  }
> {
  const lines = readCrontab(text, format).map((line) => ofUser(line, plan.user));
  const jobs = lines.flatMap(({ reading }) => (reading.kind === 'job' ? [reading] : []));
  const [place, { origin, isFile, prefix = '' }] = [placeOf(plan), plan];
  const source = { origin, isFile, prefix, ...place };
  const { found, isAll, present } = await recognisePresent(operator, jobs, source);
  const names = found.values();
  const planned: PlannedLine[] = [];
  for (const line of lines) {
    const name = line.reading.kind === 'job' ? (names.next().value ?? '') : '';
    const made = planLine(line, name, plan);
    planned.push(operator === null ? made : comparedWith(present.get(name), made, plan));
    // The channel ends its connection by a timer, before the server cuts one that is silent.
    if (planned.length % linesAtOnce === 0) await setImmediate();
  }
  const foundNames = new Set(found);
  const elsewhere = isAll ? [] : await importedElsewhere(operator, planned, plan);
  const known = new Map([...present, ...elsewhere.map((job) => [job.name, job] as const)]);
  const left = [...known.values()].filter(
    (job) => !foundNames.has(job.name) && isOfPlace(job, place),
  );
  const twice = doubledBy(left, planned, plan);
  const others = left.filter(({ name }) => name.startsWith(prefix) && !twice.includes(name));
  const numbered = found.flatMap((name, index) => {
    const other = present.get(`${prefix}${jobs[index]?.names.name}`);
    if (other === undefined || present.has(name) || foundNames.has(other.name)) return [];
    return [{ name, other }];
  });
  const guessed = new Set(found.filter((_, index) => jobs[index]?.names.isByComment === false));
  return { planned, gone: goneFrom(others, planned, plan), twice, numbered, guessed };
}

/** Some 10 ms of work. */
const linesAtOnce = 100;

/** Jobs from the other machines that jobs here came from, which may have no line any more. */
async function importedElsewhere(
  operator: ApiOperator | null,
  planned: readonly PlannedLine[],
  { origin }: ImportPlan,
): Promise<JobDefinition[]> {
  const hosts = new Set(planned.flatMap(({ from }) => (from === null ? [] : [hostOf(from)])));
  hosts.delete(hostOf(origin));
  const jobs: JobDefinition[] = [];
  for (const host of hosts) jobs.push(...((await operator?.readImported(host))?.definitions ?? []));
  return jobs;
}

/** A line made each, under several names. */
function doubledBy(
  left: readonly JobDefinition[],
  planned: readonly PlannedLine[],
  { origin }: ImportPlan,
): string[] {
  const keyOf = ({ command, schedule }: JobDefinition): string => `${schedule}\n${command}`;
  const usersOf = new Map<string, Set<string | undefined>>();
  for (const { made } of planned) {
    if (made === null) continue;
    const users = usersOf.get(keyOf(made)) ?? new Set();
    usersOf.set(keyOf(made), users.add(made.user));
  }
  const isOfLine = (job: JobDefinition): boolean => {
    const users = usersOf.get(keyOf(job));
    return users?.has(undefined) === true || users?.has(job.user) === true;
  };
  return left.flatMap((job) => (job.origin === origin && isOfLine(job) ? [job.name] : []));
}

/**
 * The crontabs of several users come by standard input. A line that cannot be imported, but has the
 * command of a job, is its line.
 */
function goneFrom(
  left: readonly JobDefinition[],
  planned: readonly PlannedLine[],
  { origin, user }: ImportPlan,
): GoneJobs[] {
  const faults = planned.flatMap(({ result, text }) =>
    result === 'fault' ? [splitPercent(text).command] : [],
  );
  const gone = left.filter(
    (job) =>
      (user === undefined || job.user === user) &&
      !faults.some((text) => text.endsWith(lineCommand(job.command))),
  );
  const origins = [...new Set([origin, ...planned.flatMap(({ from }) => from ?? [])])];
  return origins.flatMap((each) => {
    const names = gone.flatMap((job) => (job.origin === each ? [job.name] : []));
    return names.length > 0 ? [{ origin: each, names }] : [];
  });
}

function ofUser(line: CrontabLine, user: string | undefined): CrontabLine {
  const { reading } = line;
  if (reading.kind !== 'job' || user === undefined) return line;
  return { ...line, reading: { ...reading, job: { ...reading.job, user } } };
}

function planLine(
  { number, text, reading }: CrontabLine,
  name: string,
  plan: ImportPlan,
): PlannedLine {
  const none = { made: null, define: null, from: null };
  const base = { line: number, text, notes: [], known: [], ...none };
  const refuse = (message: string) => ({ ...base, result: 'fault', message }) as const;
  if (reading.kind === 'fault') return refuse(reading.message);
  if (reading.kind === 'variable') return { ...base, result: 'variable', notes: reading.notes };
  if (reading.kind !== 'job') return { ...base, result: reading.kind };
  if (/^@reboot\b/.test(reading.job.schedule)) return refuse(noReboot);
  const { group = 'default', onNode, observe, origin } = plan;
  const where = { timezone: plan.timezone, group };
  const wanted = wantedLine({ ...reading.job, name }, number, where, Date.now(), {
    origin,
    ...(onNode ? { target: { nodes: [onNode] } } : {}),
    ...(observe ? { observed: true } : {}),
  });
  if ('message' in wanted) return refuse(wanted.message);
  const made = wanted.define(null);
  const { schedule, timezone } = made;
  const notes = [...reading.notes, ...wanted.warnings];
  const define = (current: JobDefinition | null): JobDefinition =>
    current === null ? made : carryOver(current, made, plan);
  const job = { name, schedule, timezone };
  return { ...base, result: 'read', notes, job, made, define };
}

const noReboot = 'statecron has no @reboot; use a systemd unit for it, or leave it to cron';

/** With what would become of it, and of the job that it is; undefined: there is none yet. */
function comparedWith(
  current: JobDefinition | undefined,
  line: PlannedLine,
  { observe, paused, onNode, origin }: ImportPlan,
): PlannedLine {
  const { define } = line;
  if (define === null) return line;
  if (current === undefined) return { ...line, result: 'added' };
  try {
    const isLive = current.observed !== true;
    const from = current.origin ?? origin;
    const made = define(current);
    const isSame = isDeepStrictEqual({ ...made, origin: from }, current);
    const changes = diffFields(hideSecrets(current), hideSecrets(made), 'flag');
    const nodes = made.target?.nodes ?? [];
    const isPinned = onNode === undefined && nodes.length > 0;
    const pinned = `it stays on ${nodes.join(', ')}; --no-on-node lets it run on any node`;
    const stays = [
      ...(observe && isLive ? ['it is there already, and stays live'] : []),
      ...(paused ? ['it is there already: --paused is for new jobs'] : []),
      ...(isPinned ? [pinned] : []),
    ];
    const moves = [
      ...(isSame && from !== origin
        ? [`only where it comes from changes: ${from} before, ${origin} now`]
        : []),
      ...(hostOf(from) === hostOf(origin) ? [] : [`it was imported from ${from} before`]),
    ].slice(0, 1);
    const notes = [...line.notes, ...stays, ...moves];
    // Where it comes from is written all the same.
    const result = isSame ? 'unchanged' : 'updated';
    const known = isSame ? line.notes : [];
    const before = from === origin ? null : from;
    return { ...line, result, notes, known, changes, made, from: before };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'name_taken') throw error;
    const message = `${error.message} ${error.hint}`;
    return { ...line, result: 'fault', message, made: null, define: null };
  }
}

/** What a crontab cannot say stays as somebody set it; so does whether the job is live. */
function carryOver(current: JobDefinition, made: JobDefinition, plan: ImportPlan): JobDefinition {
  requireOwn(current, made, plan);
  const { timeoutMs, graceMs, outputBytesMax, leftovers, observed } = current;
  const kept = { timeoutMs, graceMs, outputBytesMax, leftovers };
  const { observed: _, ...next } = { ...current, ...made, ...kept };
  const there = observed === true ? { ...next, observed } : next;
  return plan.onNode === false ? mergeFields(there, { onNode: false }) : withLowestFormat(there);
}

/**
 * What was made by hand is changed only when it is asked for; so are the command of a job that may
 * be another crontab's, and the group and node of one that was edited, or is another machine's.
 */
function requireOwn(current: JobDefinition, made: JobDefinition, plan: ImportPlan): void {
  const name = JSON.stringify(current.name);
  if (current.origin === undefined) {
    if (plan.replace) return;
    throw new OperatorError({
      code: 'name_taken',
      message: `a job ${name} was made by hand.`,
      hint: 'Give --prefix to keep both, or --replace to change that one',
    });
  }
  if (plan.update) return;
  const before = lineCommand(current.command);
  const isSameLine = isOfFile(current, plan) || before === lineCommand(made.command);
  if (isSameLine && isOfPlace(current, placeOf(plan))) return;
  const other = isSameLine ? `group or node, ${placeText(current)}` : `command, ${before}`;
  throw new OperatorError({
    code: 'name_taken',
    message: `the job ${name} has another ${other};`,
    hint: '--update changes it to this one, --prefix keeps both',
  });
}

function placeOf({ group, onNode, user }: ImportPlan): ImportPlace {
  return { user: user ?? null, group: group ?? null, onNode: onNode || null };
}

function placeText({ group = 'default', target }: JobDefinition): string {
  return [group, ...(target?.nodes ?? [])].join(' on ');
}
