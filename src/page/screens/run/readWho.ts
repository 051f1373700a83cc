import { type Answer, callApi } from '../../api/callApi.ts';
import { whyNotAllowed } from '../../api/session.ts';
import type { ShownRun } from './shownRun.ts';

/** By whom, as far as the audit log says and the reader may see it. */
export interface Who {
  /** Who asked for it; null: nobody, or not known. */
  readonly requested: string | null;
  /** The run whose tick it runs again. */
  readonly again: string | null;
  /** The request that ran its tick again with other variables. */
  readonly retried: string | null;
  readonly stopped: string | null;
}

export const nobody: Who = { requested: null, again: null, retried: null, stopped: null };

type AuditRow = Answer<'GET /audit'>['items'][number];

/** A request stands in the audit log when it is made, but for the clocks of nodes. */
const aroundMs = 60_000;
/** A launch waits for its turn, so that its request may be older than its start. */
const waitsMsMax = 86_400_000;

export async function readWho(run: ShownRun, signal: AbortSignal): Promise<Who> {
  if (whyNotAllowed('admin') !== null) return nobody;
  const { launchId } = run;
  const [request, retry, retries, stopped] = await Promise.all([
    readRequest(run, signal),
    readRetry(run, signal),
    ...['run.retry', 'run.stop'].map((action) =>
      launchId === null ? [] : readRows({ action, target: launchId }, signal),
    ),
  ]);
  return {
    requested: (retry ?? request)?.actor ?? null,
    again: retry?.target ?? (request?.action === 'run.retry' ? request.target : null),
    retried: retries?.map((row) => afterOf(row).requestId).find(Boolean) ?? null,
    stopped: stopped?.[0]?.actor ?? null,
  };
}

/** What the run came by: a request of the job, or of one of its ticks with other variables. */
async function readRequest(run: ShownRun, signal: AbortSignal): Promise<AuditRow | null> {
  const { job: target, requestId, scheduledFor } = run;
  if (requestId === null) return null;
  const isOfRun = (row: AuditRow) => afterOf(row).requestId === requestId;
  const asked = { action: 'job.run', target };
  const near = (await readRows({ ...asked, ...around(scheduledFor, aroundMs) }, signal)).find(
    isOfRun,
  );
  if (near !== undefined) return near;
  // One that waited for a node was made long before the time that its launch has.
  const others = [asked, { action: 'job.backfill', target }, { action: 'run.retry' }];
  const rows = others.map((query) => readRows({ ...query, ...beforeStart(run) }, signal));
  return (await Promise.all(rows)).flat().find(isOfRun) ?? null;
}

/** Who had it tried once more; null: the job's own retries, or nobody. */
async function readRetry(run: ShownRun, signal: AbortSignal): Promise<AuditRow | null> {
  const { attempt, job, requestId, scheduledFor, trigger } = run;
  if (trigger !== 'retry') return null;
  const rows = await readRows({ action: 'run.retry', ...beforeStart(run) }, signal);
  for (const row of rows.filter((each) => afterOf(each).attempt === attempt)) {
    const path = { run: row.target };
    const before = await callApi('GET /runs/{run}', { path, signal }).catch(() => null);
    const isSame = before?.requestId === requestId && before.scheduledFor === scheduledFor;
    if (isSame && before.job === job) return row;
  }
  return null;
}

interface After {
  readonly requestId?: string;
  readonly attempt?: number;
}

function afterOf(row: AuditRow | null): After {
  return (row?.after as After | null | undefined) ?? {};
}

function around(at: string, beforeMs: number) {
  const iso = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
  return { since: iso(-beforeMs), until: iso(aroundMs) };
}

const beforeStart = ({ endedAt, startedAt }: ShownRun) =>
  around(startedAt ?? endedAt ?? new Date().toISOString(), waitsMsMax);

async function readRows(query: object, signal: AbortSignal): Promise<readonly AuditRow[]> {
  return (await callApi('GET /audit', { query: { ...query, limit: '200' }, signal })).items;
}
