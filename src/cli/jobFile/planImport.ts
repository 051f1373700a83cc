import { isDeepStrictEqual } from 'node:util';
import { type CrontabLine, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type CrontabFormat, splitPercent } from '../../domain/crontab/readJobLine.ts';
import { hostOf, recogniseJobs } from '../../domain/crontab/recogniseJobs.ts';
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
import { wantedLine } from './readJobFile.ts';

/** What is to become of the lines of a crontab. */
export interface ImportPlan {
  readonly prefix?: string;
  readonly replace?: boolean;
  readonly observe?: boolean;
  readonly paused?: boolean;
  /** false: on any, those too that are there already. */
  readonly onNode?: string | false;
  readonly group?: string;
  /** Whose crontab it is. */
  readonly user?: string;
  readonly timezone: string;
  readonly origin: string;
  /** The origin is a path, not standard input. */
  readonly isFile: boolean;
  /** Those of this machine. */
  readonly users: ReadonlySet<string>;
}

/** What became of one line; `added` and the like say what would, where nothing was changed. */
export interface ImportedLine {
  readonly line: number;
  readonly text: string;
  readonly result: Written | 'read' | 'variable' | 'comment' | 'blank' | 'fault';
  readonly notes: readonly string[];
  readonly job?: Pick<JobDefinition, 'name' | 'schedule' | 'timezone'>;
  readonly message?: string;
  /** Of a job that is there, somebody's own edits taken back included. */
  readonly changes?: readonly FieldChange[];
}

type Written = 'added' | 'updated' | 'unchanged';

/** The same before it is written; both null: it is no job. */
export interface PlannedLine extends ImportedLine {
  readonly made: JobDefinition | null;
  readonly define: ((current: JobDefinition | null) => JobDefinition) | null;
  /** Where its job came from before; null: from here, or it is new. */
  readonly from: string | null;
}

/** Jobs without a line here that came from `origin`, where others of the crontab came from, too. */
export interface GoneJobs {
  readonly origin: string;
  readonly names: readonly string[];
}

/** Reads all lines and compares them with what is there; operator null: nothing is compared. */
export async function planImport(
  operator: ApiOperator | null,
  text: string,
  format: CrontabFormat,
  plan: ImportPlan,
): Promise<{ planned: PlannedLine[]; gone: GoneJobs[] }> {
  const lines = readCrontab(text, format).map((line) => ofUser(line, plan.user));
  const jobs = lines.flatMap(({ reading }) => (reading.kind === 'job' ? [reading] : []));
  const { origin, isFile, prefix = '' } = plan;
  const onNode = plan.onNode || null;
  const present: JobDefinition[] = [];
  const filter = { text: prefix, jobsMax: Number.MAX_SAFE_INTEGER };
  if (operator !== null) {
    for await (const job of operator.listJobs(filter)) present.push(definitionOf(job));
  }
  const found = recogniseJobs(jobs, present, { origin, isFile, prefix, onNode });
  const names = found.values();
  const planned: PlannedLine[] = [];
  for (const line of lines) {
    const name = line.reading.kind === 'job' ? names.next().value : undefined;
    planned.push(await comparedWith(operator, planLine(line, name ?? '', plan), plan));
  }
  return { planned, gone: goneFrom(present, new Set(found), planned, plan) };
}

/**
 * The crontabs of several users come by standard input. A line that cannot be imported, but has the
 * command of a job, is its line.
 */
function goneFrom(
  present: readonly JobDefinition[],
  found: ReadonlySet<string>,
  planned: readonly PlannedLine[],
  { origin, user }: ImportPlan,
): GoneJobs[] {
  const faults = planned.flatMap(({ result, text }) =>
    result === 'fault' ? [splitPercent(text).command] : [],
  );
  const gone = present.filter(
    (job) =>
      !found.has(job.name) &&
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
  const base = { line: number, text, notes: [], made: null, define: null, from: null };
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
    let nodes: readonly string[] = [];
    const preview = await operator.previewEdit(job.name, (current) => {
      isLive = current.observed !== true;
      from = current.origin ?? origin;
      const next = define(current);
      isSame = isDeepStrictEqual({ ...next, origin: from }, current);
      nodes = next.target?.nodes ?? [];
      changes = diffFields(hideSecrets(current), hideSecrets(next), 'flag');
      return next;
    });
    if (preview === null) return { ...line, result: 'added' };
    const isPinned = onNode === undefined && nodes.length > 0;
    const pinned = `it stays on ${nodes.join(', ')}; --no-on-node lets it run on any node`;
    const stays = [
      ...((observe && isLive) || paused ? ['it is there already, and stays as it is'] : []),
      ...(isPinned ? [pinned] : []),
    ];
    const moves = [
      ...(isSame && from !== origin
        ? [`only where it comes from changes: ${from} before, ${origin} now`]
        : []),
      ...(hostOf(from) === hostOf(origin) ? [] : [`it was imported from ${from} before`]),
    ].slice(0, 1);
    const notes = [...line.notes, ...stays, ...moves];
    return { ...line, result: preview, notes, changes, from: from === origin ? null : from };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'name_taken') throw error;
    const message = `${error.message} ${error.hint}`;
    return { ...line, result: 'fault', message, made: null, define: null };
  }
}

/** What a crontab cannot say stays as somebody set it; so does whether the job is live. */
function carryOver(current: JobDefinition, made: JobDefinition, plan: ImportPlan): JobDefinition {
  if (current.origin === undefined && !plan.replace) {
    throw new OperatorError({
      code: 'name_taken',
      message: `a job ${JSON.stringify(current.name)} was made by hand.`,
      hint: 'Give --prefix to keep both, or --replace to change that one',
    });
  }
  const { timeoutMs, graceMs, outputBytesMax, leftovers, observed } = current;
  const kept = { timeoutMs, graceMs, outputBytesMax, leftovers };
  const { observed: _, ...next } = { ...current, ...made, ...kept };
  const there = observed === true ? { ...next, observed } : next;
  return plan.onNode === false ? mergeFields(there, { onNode: false }) : withLowestFormat(there);
}
