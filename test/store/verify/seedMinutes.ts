import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { Row } from '../../../src/store/connection/channel.ts';

/** What both a test's database and a bench's can do. */
export interface Seedable {
  rows(sql: string, parameters?: (string | number | Date)[]): Promise<Row[]>;
}

/**
 * A job that runs each minute, with so many runs behind it, the last within the last minute; of
 * every `skipEvery`th minute a range row instead. All of one session, which ended and was reaped.
 * Rows are doubled in the database, so that a million take seconds.
 */
export async function seedMinutes(
  world: Seedable,
  seed: { name: string; runs: number; skipEvery?: number },
): Promise<number> {
  const { name, runs, skipEvery = 10 } = seed;
  const [clock] = await world.rows('SELECT NOW(3) AS now_at');
  const now = clock?.now_at as Date;
  const lastMs = Math.floor(now.getTime() / minuteMs) * minuteMs;
  const first = new Date(lastMs - (runs - 1) * minuteMs);
  const sessionId = `s${name}`.slice(0, 32);
  await world.rows(insertJob, [name]);
  const [job] = await world.rows('SELECT job_id FROM job WHERE name = ?', [name]);
  const jobId = job?.job_id as number;
  const definition = { ...jobDefaults, name, schedule: '* * * * *', command: 'true' };
  await world.rows(insertRevision, [jobId, JSON.stringify(definition), first]);
  const cursor = new Date(lastMs + minuteMs);
  await world.rows(insertSlot, [jobId, jobId % 64, cursor, cursor]);
  await world.rows(insertSession, [sessionId, sessionId, first, cursor, cursor, cursor]);
  await world.rows(insertFirst, [jobId, `${sessionId}:0`, sessionId, first, first, first]);
  for (let have = 1; have < runs; have *= 2) {
    const more = Math.min(have, runs - have);
    const values = [sessionId, have, have, have, have, jobId, more];
    await world.rows(doubleRuns, values);
  }
  await world.rows(skipRuns, [jobId, skipEvery]);
  return jobId;
}

const minuteMs = 60_000;
const insertJob = 'INSERT INTO job (name, revision, created_at) VALUES (?, 1, NOW(3))';
const insertRevision = `INSERT INTO job_revision (job_id, revision, definition, in_force_from)
  VALUES (?, 1, ?, ?)`;
const insertSlot = `INSERT INTO slot (job_id, stripe, cursor_at, next_run_at)
  VALUES (?, ?, ?, ?)`;
const insertSession = `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
    renewed_at, ended_at, reaped_at, host, process_id, version, timezone_data, capacity,
    concurrency)
  VALUES (?, ?, 'ended', 45000, ?, ?, ?, ?, '', 1, '', '', 1, 1)`;
const insertFirst = `INSERT INTO run (job_id, revision, launch_id, session_id, triggered_by,
    attempt, scheduled_for, started_at, ended_at, result, output_bytes)
  VALUES (?, 1, ?, ?, 'schedule', 1, ?, ? + INTERVAL 5000 MICROSECOND, ? + INTERVAL 1 SECOND,
    'succeeded', 0)`;
/** The counter of the launch is the number of the minute. */
const doubleRuns = `INSERT INTO run (job_id, revision, launch_id, session_id, triggered_by, attempt,
    scheduled_for, started_at, ended_at, result)
  SELECT job_id, revision,
    CONCAT(?, ':', CAST(SUBSTRING_INDEX(launch_id, ':', -1) AS UNSIGNED) + ?), session_id,
    triggered_by, attempt, scheduled_for + INTERVAL ? MINUTE, started_at + INTERVAL ? MINUTE,
    ended_at + INTERVAL ? MINUTE, result
  FROM run WHERE job_id = ? ORDER BY ended_at LIMIT ?`;
const skipRuns = `UPDATE run SET launch_id = NULL, session_id = NULL, started_at = NULL,
    scheduled_until = scheduled_for, result = 'skipped', reason = 'the last run was still going'
  WHERE job_id = ? AND CAST(SUBSTRING_INDEX(launch_id, ':', -1) AS UNSIGNED) % ? = 3`;
