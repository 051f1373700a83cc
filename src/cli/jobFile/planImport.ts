import { isDeepStrictEqual } from 'node:util';
import { type CrontabLine, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type CrontabFormat, splitPercent } from '../../domain/crontab/readJobLine.ts';
import {
  hostOf,
  type ImportPlace,
  isOfFile,
  isOfPlace,
  recogniseJobs,
} from '../../domain/crontab/recogniseJobs.ts';
import { lineCommand } from '../../domain/crontab/runByShell.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { checkDefinition } from '../../domain/job/checkDefinition.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { mergeFields } from '../../domain/job/edit/mergeFields.ts';
import { diffFields, type FieldChange } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { hideSecrets } from '../../domain/job/secretEnv.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf } from '../../http/views/jobView.ts';
import type { GoneJobs, ImportPlan, Numbered, PlannedLine } from './importPlan.ts';
import { wantedLine } from './readJobFile.ts';

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
  { planned: PlannedLine[]; gone: GoneJobs[]; numbered: Numbered[] } & Record<
    'twice' | 'guessed',
    string[]
  >
> {
  const lines = readCrontab(text, format).map((line) => ofUser(line, plan.user));
  const jobs = lines.flatMap(({ reading }) => (reading.kind === 'job' ? [reading] : []));
  const { origin, isFile, prefix = '' } = plan;
  const place = placeOf(plan);
  const present: JobDefinition[] = [];
  const filter = { jobsMax: Number.MAX_SAFE_INTEGER };
  if (operator !== null) {
    for await (const job of operator.listJobs(filter)) present.push(definitionOf(job));
  }
  const ofPrefix = present.filter(({ name }) => name.startsWith(prefix));
  const found = recogniseJobs(jobs, ofPrefix, { origin, isFile, prefix, ...place });
  const names = found.values();
  const planned: PlannedLine[] = [];
  for (const line of lines) {
    const name = line.reading.kind === 'job' ? names.next().value : undefined;
    planned.push(await comparedWith(operator, planLine(line, name ?? '', plan), plan));
  }
  const [foundNames, byName] = [new Set(found), new Map(present.map((job) => [job.name, job]))];
  const left = present.filter((job) => !foundNames.has(job.name) && isOfPlace(job, place));
  const twice = doubledBy(left, planned, plan);
  const others = left.filter(({ name }) => name.startsWith(prefix) && !twice.includes(name));
  const numbered = found.flatMap((name, index) => {
    const other = byName.get(`${prefix}${jobs[index]?.names.name}`);
    if (other === undefined || byName.has(name) || foundNames.has(other.name)) return [];
    return [{ name, other }];
  });
  const guessed = found.filter((_, index) => jobs[index]?.names.isByComment === false);
  return { planned, gone: goneFrom(others, planned, plan), twice, numbered, guessed };
}

/** A line made each, under several names. */
function doubledBy(
  left: readonly JobDefinition[],
  planned: readonly PlannedLine[],
  { origin }: ImportPlan,
): string[] {
  const isOfLine = ({ command, schedule, user }: JobDefinition): boolean =>
    planned.some(
      ({ made }) =>
        made?.command === command &&
        made.schedule === schedule &&
        (made.user === undefined || made.user === user),
    );
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
  const wanted = wantedLine({ ...reading.job, name }, number, where, Date.now());
  if ('message' in wanted) return refuse(wanted.message);
  const made = withLowestFormat({
    ...{ ...wanted.define(null), origin },
    ...(onNode ? { target: { nodes: [onNode] } } : {}),
    ...(observe ? { observed: true } : {}),
  });
  const [fault] = checkDefinition(made);
  if (fault !== undefined) return refuse(`${fault.field} ${fault.message}`);
  const { schedule, timezone } = made;
  const notes = [...reading.notes, ...wanted.warnings];
  const define = (current: JobDefinition | null): JobDefinition =>
    current === null ? made : carryOver(current, made, plan);
  const job = { name, schedule, timezone };
  return { ...base, result: 'read', notes, job, made, define };
}

const noReboot = 'statecron has no @reboot; use a systemd unit for it, or leave it to cron';

/** With what would become of it; operator null: nothing is compared. */
async function comparedWith(
  operator: ApiOperator | null,
  line: PlannedLine,
  { observe, paused, onNode, origin }: ImportPlan,
): Promise<PlannedLine> {
  const { job, define } = line;
  if (operator === null || job === undefined || define === null) return line;
  try {
    let isLive = false;
    let from = origin;
    let isSame = false;
    let changes: FieldChange[] = [];
    let made = line.made;
    const preview = await operator.previewEdit(job.name, (current) => {
      isLive = current.observed !== true;
      from = current.origin ?? origin;
      const next = define(current);
      isSame = isDeepStrictEqual({ ...next, origin: from }, current);
      made = next;
      changes = diffFields(hideSecrets(current), hideSecrets(next), 'flag');
      return next;
    });
    if (preview === null) return { ...line, result: 'added' };
    const nodes = made?.target?.nodes ?? [];
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
    const result = isSame ? 'unchanged' : preview;
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
