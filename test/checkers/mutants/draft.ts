import type { History, ProcessRecord, RunRecord, SessionAudit, SlotAudit } from '../history.ts';

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

export type Draft = Mutable<History>;
export type DraftProcess = Mutable<ProcessRecord>;
export type DraftSlotStep = Mutable<SlotAudit>;

/** A copy of a history that may be broken. */
export function draftOf(history: History): Draft {
  return structuredClone(history) as Draft;
}

/** The boot clock's instant of a database's, in a history without a step. */
export function bootMs(draft: Draft, databaseMs: number): number {
  const [sample] = draft.clock;
  return databaseMs - need(sample).databaseMs + need(sample).atMs;
}

export function databaseMs(draft: Draft, atMs: number): number {
  const [sample] = draft.clock;
  return atMs + need(sample).databaseMs - need(sample).atMs;
}

/** The first child of a job that began after so many milliseconds. */
export function childOf(draft: Draft, job: string, afterMs: number): DraftProcess {
  const fromMs = draft.about.startedMs + afterMs;
  return need(draft.processes.find((each) => each.job === job && each.startedMs > fromMs));
}

export function runOf(draft: Draft, launchId: string | null): Mutable<RunRecord> {
  return need(draft.runs.find((run) => run.launchId === launchId));
}

export function slotSteps(draft: Draft, job?: string): DraftSlotStep[] {
  const jobId = draft.jobs.find(({ name }) => name === job)?.jobId;
  return draft.audit.filter(
    (row): row is DraftSlotStep =>
      row.table === 'slot' && (job === undefined || row.jobId === jobId),
  );
}

export function sessionSteps(draft: Draft): Mutable<SessionAudit>[] {
  return draft.audit.filter((row) => row.table === 'session');
}

/** The steps of one launch: its claim, its start, its way back to idle. */
export function stepsOf(draft: Draft, launchId: string): DraftSlotStep[] {
  return slotSteps(draft).filter(
    ({ before, after }) => before.launchId === launchId || after.launchId === launchId,
  );
}

/** The step of a launch into a state. */
export function stepInto(draft: Draft, launchId: string, state: string): DraftSlotStep {
  return need(stepsOf(draft, launchId).find(({ after }) => after.state === state));
}

export function operationOf(draft: Draft, job: string, kind: string): Draft['operations'][number] {
  return need(draft.operations.find((each) => each.job === job && each.kind === kind));
}

export function jobOf(draft: Draft, name: string): Draft['jobs'][number] {
  return need(draft.jobs.find((job) => job.name === name));
}

/** A launch of a dead node that was executing when it died. */
export function lostRun(draft: Draft): Mutable<RunRecord> {
  const lost = draft.runs.find(
    ({ result, launchId }) =>
      result === 'lost' && draft.processes.some((process) => process.launchId === launchId),
  );
  return need(lost);
}

/** Gives the audit its order and time again, after rows were put in or moved. */
export function reorder(draft: Draft): void {
  draft.audit.sort((a, b) => a.databaseMs - b.databaseMs);
  for (const [index, row] of draft.audit.entries()) row.order = index + 1;
}

/** Takes everything of a launch away as if it had never been. */
export function forget(draft: Draft, launchId: string): void {
  const steps = new Set<unknown>(stepsOf(draft, launchId));
  draft.audit = draft.audit.filter((row) => !steps.has(row));
  draft.processes = draft.processes.filter((process) => process.launchId !== launchId);
  draft.runs = draft.runs.filter((run) => run.launchId !== launchId);
}

export function need<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('the history has none to break');
  return value;
}

/** The children of a job in the order in which they began. */
export function childrenOf(draft: Draft, job: string): DraftProcess[] {
  const children = draft.processes.filter((child) => child.job === job);
  return children.sort((a, b) => a.startedMs - b.startedMs);
}

/** Has all that the job ran on a node exit with a code. */
export function exitOn(draft: Draft, job: string, node: string, exitCode: number): void {
  const result = exitCode === 0 ? 'succeeded' : 'failed';
  for (const child of childrenOf(draft, job).filter((each) => each.node === node)) {
    if (child.exitCode === null) continue;
    child.exitCode = exitCode;
    Object.assign(runOf(draft, child.launchId), { result, exitCode });
  }
}

/** Has every revision of a job say something else than it was run by. */
export function term(draft: Draft, job: string, terms: Record<string, unknown>): void {
  for (const revision of jobOf(draft, job).revisions) {
    revision.definition = { ...(revision.definition as object), ...terms };
  }
}

/** Has the last child of the paused job that was started before begin some milliseconds after. */
export function beginAfter(draft: Draft, answeredMs: number): void {
  const child = need(
    childrenOf(draft, 'paused').findLast(({ startedMs }) => startedMs < answeredMs),
  );
  child.startedMs = answeredMs + 47;
  endAt(draft, child, databaseMs(draft, child.startedMs + 20));
}

/** Has a child end at an instant of the database, and its run and slot just after. */
export function endAt(draft: Draft, child: DraftProcess, endMs: number): void {
  child.endedMs = bootMs(draft, endMs);
  child.lastSeenMs = child.endedMs;
  const freedMs = endMs + 10;
  runOf(draft, child.launchId).endedDatabaseMs = freedMs;
  stepInto(draft, child.launchId, 'idle').databaseMs = freedMs;
  reorder(draft);
}
