import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPrivateServer } from '../../src/database/server/startPrivateServer.ts';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { Channel, type Row } from '../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { endWithUs, folderMark } from '../support/endWithUs.ts';

export interface BenchOptions {
  readonly jobs: number | undefined;
  readonly nodes: number | undefined;
  readonly rows: number | undefined;
  /** Of the history. */
  readonly runs: number | undefined;
  readonly rounds: number | undefined;
  /** Of runs that are written, a second; for how many minutes; and the output of each. */
  readonly rate: number | undefined;
  readonly minutes: number | undefined;
  readonly hours: number;
  /** A folder for snapshots of heaps. */
  readonly snapshots: string | null;
  readonly kilobytes: number | undefined;
  readonly periodSeconds: number;
  readonly seconds: number;
  /** A tenth of it all, for a look whether it works at all: its bounds are no measure of speed. */
  readonly isSmall: boolean;
  /** Names of attacks, for the bench that has some; none: all. */
  readonly attacks: readonly string[];
  readonly say: (line: string) => void;
}

export interface BenchResult {
  readonly figures: Record<string, unknown>;
  /** What was not as it must be, apart from any speed; the bench then fails. */
  readonly complaints: string[];
  /** Prints the figures for people; absent: they are printed as they are. */
  readonly show?: () => void;
}

/** A database server of the bench's own, with default durability, gone when the bench ends. */
export interface BenchServer {
  /** Where its data are, for more that is to be gone with it. */
  readonly folder: string;
  readonly pid: number;
  /** A fresh, migrated database. */
  makeDatabase(name: string): Promise<BenchDatabase>;
}

export interface BenchDatabase {
  readonly url: string;
  readonly channel: Channel;
  query(sql: string, parameters?: Parameters<Channel['query']>[1]): Promise<Row[]>;
}

const bounds = { timeoutMs: 600_000, lockWaitSeconds: 60, silenceSeconds: 3_600 };

/** Starts the server, runs the bench and takes everything down again. */
export async function withServer<T>(
  say: BenchOptions['say'],
  use: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'statecron-bench-'));
  const watcher = endWithUs(folder);
  // A bench that fails, or that somebody ends, stops none of the nodes that it has started.
  process.env[folderMark] = folder;
  const server = await startPrivateServer({ dataDir: folder, report: say });
  const channels: Channel[] = [];
  const open = (url: string): Channel => {
    const channel = new Channel('bench', readDatabaseUrl(url), bounds);
    channels.push(channel);
    return channel;
  };
  const makeDatabase: BenchServer['makeDatabase'] = async (name) => {
    await open(server.url).query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    await migrate(readDatabaseUrl(url.href));
    const channel = open(url.href);
    const query: BenchDatabase['query'] = (sql, parameters) =>
      channel.query<Row[]>(sql, parameters);
    return { url: url.href, channel, query };
  };
  const result = await use({ folder, pid: server.pid, makeDatabase }).finally(async () => {
    for (const channel of channels) await channel.close();
    await server.stop();
  });
  // Of a bench that failed the watcher clears away all that is left, when we are gone.
  await watcher.dismiss();
  await rm(folder, { recursive: true, force: true });
  return result;
}

export interface Seed {
  readonly from: number;
  readonly count: number;
  readonly schedule: string;
  readonly dueAt: Date | null;
  /** What one of them has beside that; absent: nothing. */
  readonly more?: (id: number) => SeedExtras;
}

export interface SeedExtras {
  readonly definition: Partial<JobDefinition>;
  readonly isPaused: boolean;
  /** As `addJob` gave it to another job of the same group. */
  readonly targetId: number;
}

const plain: SeedExtras = { definition: {}, isPaused: false, targetId: 0 };

/**
 * Adds jobs `true` with the given ids and schedule; their slots are idle and due at the instant.
 */
export async function seedJobs(database: BenchDatabase, seed: Seed): Promise<void> {
  const { schedule, dueAt, more = () => plain } = seed;
  const batch = 2_000;
  for (let first = seed.from; first < seed.from + seed.count; first += batch) {
    const size = Math.min(batch, seed.from + seed.count - first);
    const jobs = Array.from({ length: size }, (_, index) => {
      return { id: first + index, ...more(first + index) };
    });
    await database.query(
      'INSERT INTO job (job_id, name, revision, created_at, paused, target_id) VALUES ?',
      [
        jobs.map(({ id, isPaused, targetId }) => {
          return [id, `job-${id}`, 1, new Date(), isPaused, targetId];
        }),
      ],
    );
    const revisions = jobs.map(({ id, definition }) => {
      const whole = { ...jobDefaults, name: `job-${id}`, schedule, command: 'true' };
      return [id, 1, JSON.stringify({ ...whole, ...definition }), new Date(0)];
    });
    await database.query(
      'INSERT INTO job_revision (job_id, revision, definition, in_force_from) VALUES ?',
      [revisions],
    );
    await database.query(
      'INSERT INTO slot (job_id, stripe, next_run_at, cursor_at, target_id) VALUES ?',
      [jobs.map(({ id, targetId }) => [id, id % 64, dueAt, dueAt, targetId])],
    );
  }
}
