import { type Answer, callApi } from '../../api/callApi.ts';
import { whyNotAllowed } from '../../api/session.ts';
import type { ShownRun } from './shownRun.ts';

/** By whom, as far as the audit log says and the reader may see it; null: nobody, or not known. */
export interface Who {
  readonly requested: string | null;
  readonly stopped: string | null;
}

type AuditRow = Answer<'GET /audit'>['items'][number];

/** A request stands in the audit log when it is made, but for the clocks of nodes. */
const aroundMs = 60_000;

export async function readWho(run: ShownRun, signal: AbortSignal): Promise<Who> {
  if (whyNotAllowed('admin') !== null) return { requested: null, stopped: null };
  const [requested, stopped] = await Promise.all([
    readRequest(run, signal),
    run.launchId === null ? [] : readRows({ action: 'run.stop', target: run.launchId }, signal),
  ]);
  return { requested, stopped: stopped[0]?.actor ?? null };
}

async function readRequest(
  { job, requestId, scheduledFor, trigger }: ShownRun,
  signal: AbortSignal,
) {
  if (trigger !== 'manual' || requestId === null) return null;
  const iso = (ms: number) => new Date(Date.parse(scheduledFor) + ms).toISOString();
  const range = { since: iso(-aroundMs), until: iso(aroundMs) };
  const rows = await readRows({ action: 'job.run', target: job, ...range }, signal);
  const isOfRun = ({ after }: AuditRow) =>
    (after as { requestId?: string } | null)?.requestId === requestId;
  return rows.find(isOfRun)?.actor ?? null;
}

async function readRows(query: object, signal: AbortSignal): Promise<readonly AuditRow[]> {
  return (await callApi('GET /audit', { query, signal })).items;
}
