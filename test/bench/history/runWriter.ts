import { setTimeout as sleep } from 'node:timers/promises';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { transactOrThrow } from '../../../src/store/transaction/transact.ts';

export interface RunWriting {
  readonly url: string;
  /** Whose history it is: jobs with these ids, in turn. */
  readonly firstId: number;
  readonly jobs: number;
  readonly runsPerSecond: number;
  readonly outputBytes: number;
  /** How long ago each has ended when it is written. */
  readonly agoMs: number;
}

export interface RunWriter {
  /** Runs that are committed. */
  readonly written: number;
  /** Rejects when it could not write all the time. */
  stop(): Promise<void>;
}

const batchMs = 100;
const bounds = { timeoutMs: 60_000, lockWaitSeconds: 30, silenceSeconds: 60 };

/**
 * Writes finished runs with their outputs straight into the tables, as many as are asked for or as
 * the database takes: ten transactions a second, as the commits of a few nodes.
 */
export function startRunWriter(writing: RunWriting): RunWriter {
  const channel = new Channel('run writer', readDatabaseUrl(writing.url), bounds);
  let written = 0;
  let isStopping = false;
  const write = async (): Promise<void> => {
    const beganMs = performance.now();
    while (!isStopping) {
      const dueMs = performance.now() - beganMs + batchMs;
      const batch = Math.floor((writing.runsPerSecond * dueMs) / 1_000) - written;
      // What it is behind by is not caught up with at once: no batch is longer than two.
      const runs = Math.min(batch, Math.ceil((2 * writing.runsPerSecond * batchMs) / 1_000));
      if (runs > 0) await writeBatch(channel, writing, written, runs);
      written += Math.max(0, runs);
      await sleep(Math.max(0, dueMs - (performance.now() - beganMs)));
    }
  };
  const ended = write();
  // Whoever stops it is told; until then nobody listens.
  ended.catch(() => undefined);
  return {
    get written() {
      return written;
    },
    async stop() {
      isStopping = true;
      await ended.finally(() => channel.close());
    },
  };
}

/** The outputs are made by the database: it is not to wait for us. */
function writeBatch(channel: Channel, writing: RunWriting, from: number, runs: number) {
  const { agoMs, firstId, jobs, outputBytes } = writing;
  const endedAt = new Date(Date.now() - agoMs);
  const startedAt = new Date(endedAt.getTime() - 1_000);
  const rows = Array.from({ length: runs }, (_, index) => {
    const number = from + index;
    const jobId = firstId + (number % jobs);
    const ids = [jobId, 1, 'writer', `written:${number}`, 'schedule', 1];
    return [...ids, startedAt, startedAt, endedAt, 'succeeded', 0, outputBytes];
  });
  const launchIds = rows.map((row) => row[3]) as string[];
  return transactOrThrow(channel, 'writeBatch', async (connection) => {
    await connection.query(insertRuns, [rows]);
    const output = ['0123456789abcde\n', Math.ceil(outputBytes / 16), endedAt, launchIds] as const;
    await connection.query(insertOutputs, output);
  });
}

const insertRuns = `INSERT INTO run (job_id, revision, node_name, launch_id, triggered_by, attempt,
    scheduled_for, started_at, ended_at, result, exit_code, output_bytes) VALUES ?`;
const insertOutputs = `INSERT INTO run_output (launch_id, output, written_at)
  SELECT launch_id, REPEAT(?, ?), ? FROM run WHERE launch_id IN (?)`;
