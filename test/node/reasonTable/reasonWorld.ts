import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { constants, existsSync, openSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { JobFields } from '../../../src/domain/job/jobPolicies.ts';
import type { Reason } from '../../../src/domain/reasons/reasons.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { until } from '../../support/until.ts';
import { makeTableWorld, type TableWorld } from '../policyTable/tableWorld.ts';

/** What people read, and the sentence that is to be in it. */
export type Explained = readonly [found: string, says: Reason];

/** How one reason of the table comes about. */
export interface ReasonCase {
  /** Why it cannot come about here. */
  readonly skip?: string | false;
  /** It takes away what other cases need. */
  readonly isLast?: true;
  /** Before any node is there. */
  prepare?(world: ReasonWorld): Promise<void>;
  /** Once the nodes are there, beside all other cases. */
  cause(world: ReasonWorld): Promise<Explained>;
}

/** The cases of one part of the table: one for each of its reasons. */
export type CasesOf<Table> = { readonly [Code in keyof Table]: ReasonCase };

export interface ReasonWorld extends TableWorld {
  /** For what belongs to the world. */
  readonly folder: string;
  /** A folder in the PATH of the node. */
  pathOf(name: 'main' | 'bare'): string;
  /** A job of the node `main`, by hand alone, unless the words say otherwise. */
  main(name: string, words: JobFields): Promise<void>;
  /** The same, run once. */
  runsOnce(name: string, words: JobFields): Promise<void>;
  /** The same as an earlier release writes it: its nodes take it, whatever users they allow. */
  triedOnce(name: string, words: JobFields): Promise<void>;
  /** Asks for so many runs of a job, and waits until so many launches of it execute. */
  executes(name: string, requestId?: string): Promise<string>;
  /** The next tick of the job is then, by the database's clock. */
  due(name: string, inSeconds: number): Promise<void>;
  /** A job of which a tick was half a minute ago; it has no other, unless the words say so. */
  missed(name: string, words: JobFields): Promise<void>;
  /** Resolves when a slot of the job executes and two ticks have come since it started. */
  overlapped(name: string): Promise<void>;
  /** The same as `gated`, of a run that SIGTERM does not end. */
  stubborn(name: string): string;
  /** Resolves when one of them executes, from when on SIGTERM is ignored. */
  ignoresSigterm(name: string): Promise<void>;
  /** Until the database's clock is so much later. */
  passes(seconds: number): Promise<void>;
  /** The history of the job, once it says this. */
  says(name: string, says: Reason): Promise<Explained>;
  /** What the job runs is what nothing that saves a definition lets through. */
  forge(name: string, change: (definition: JobDefinition) => JobDefinition): Promise<void>;
}

/** Five nodes start, one of them twice, also where the machine has other things to do. */
export const withinMs = 300_000;
export const everySecond = ['* * * * * *'];
export const yearly = ['0 0 1 1 *'];
/** Fills the queue of a job, as ticks of so many hours would. */
export const fillQueue = `INSERT INTO pending
    (job_id, node_name, triggered_by, scheduled_for, attempt, request_id, not_before)
  WITH RECURSIVE tick AS (SELECT 1 AS number UNION ALL SELECT number + 1 FROM tick
    WHERE number < 1000)
  SELECT job_id, '', 'queue', NOW(3) - INTERVAL number HOUR, 1, '', NOW(3) + INTERVAL 1 HOUR
  FROM job, tick WHERE name = ?`;
export const asRoot = process.getuid?.() === 0 ? false : 'not run: this is not root';

/** Begins a command that is root in a namespace of its own, without the rights of root. */
export const rootless = ['unshare', '--user', '--map-root-user', '--mount'] as const;
const canUnshare = spawnSync(rootless[0], [...rootless.slice(1), 'true']).status === 0;
export const unshared = canUnshare ? false : 'not run: there are no user namespaces';

/** The node `poor` and all that it starts have no more CPU time. */
export const poorCpuSeconds = 10_000;

export async function makeReasonWorld(scope: Scope): Promise<ReasonWorld> {
  const table = await makeTableWorld(scope);
  const { channel, rows } = table;
  const folder = await mkdtemp(join(tmpdir(), 'statecron-reasons-'));
  await chmod(folder, 0o755); // bash of other users is there
  table.scope.after(() => rm(folder, { recursive: true }));
  const main: ReasonWorld['main'] = (name, words) =>
    table.job(name, { cron: ['@manual'], onNode: ['main'], command: 'true', ...words });
  const due: ReasonWorld['due'] = async (name, inSeconds) => {
    await rows(setInForce, [name]);
    await rows(setCursor, [inSeconds, inSeconds, name]);
  };
  return {
    ...table,
    ...makeGates(folder),
    ...makeHistory(rows),
    folder,
    main,
    due,
    pathOf: (name) => join(folder, name),
    runsOnce: async (name, words) => {
      await main(name, words);
      await runJob(channel, name, name);
    },
    triedOnce: async (name, words) => {
      await main(name, words);
      await rows(forgetUser, [name]);
      await rows('UPDATE targeting_version SET version = version + 1');
      await runJob(channel, name, name);
    },
    executes: async (name, requestId = `${name} runs`) => {
      await runJob(channel, name, requestId);
      const [launchId] = await table.executing(name, 1);
      assert.ok(launchId);
      return launchId;
    },
    missed: async (name, words) => {
      await main(name, { cron: yearly, misfire: 'skip', ...words });
      await due(name, -30);
    },
    forge: async (name, change) => {
      const [row] = await rows(selectDefinition, [name]);
      const definition = change(JSON.parse(row?.definition as string) as JobDefinition);
      await rows('UPDATE job_revision SET definition = ? WHERE job_id = ?', [
        JSON.stringify(definition),
        row?.job_id,
      ]);
    },
  };
}

/** What the clock and the history of the database say. */
function makeHistory(
  rows: TableWorld['rows'],
): Pick<ReasonWorld, 'overlapped' | 'passes' | 'says'> {
  return {
    passes: async (seconds) => {
      const [from] = await rows('SELECT NOW(3) AS at');
      const since = [from?.at, seconds * 1_000_000];
      await until(
        `${seconds} s`,
        async () => {
          const [row] = await rows('SELECT NOW(3) >= ? + INTERVAL ? MICROSECOND AS is_over', since);
          return row?.is_over === 1;
        },
        withinMs,
      );
    },
    overlapped: async (name) => {
      const isOver = async () => (await rows(selectOverlapped, [name])).length === 1;
      await until(`two ticks after the start of ${name}`, isOver, withinMs);
    },
    says: async (name, says) => {
      let found: string[] = [];
      const reason = await until(
        `${name}: ${says}`,
        async () => {
          await delay(100); // so many cases look at once that each must look seldom
          found = (await rows(selectReasons, [name])).map(({ reason }) => `${reason}`);
          return found.find((reason) => reason.includes(says));
        },
        withinMs,
      ).catch(() => assert.fail(`${name} says only: ${found.join('; ')}; not: ${says}`));
      return [reason, says];
    },
  };
}

/** Commands that run until the test lets them go on. */
function makeGates(
  folder: string,
): Pick<ReasonWorld, 'gated' | 'ignoresSigterm' | 'open' | 'stubborn'> {
  const fileOf = (name: string, kind: string) =>
    join(folder, `${name.replaceAll(' ', '-')}.${kind}`);
  const gated: ReasonWorld['gated'] = (name) => {
    // Nothing spins that waits at it: many do at once.
    execFileSync('mkfifo', [fileOf(name, 'gate')]);
    return `: < ${fileOf(name, 'gate')}`;
  };
  return {
    gated,
    open: (name) => {
      // Its readers go on as long as somebody has it open.
      openSync(fileOf(name, 'gate'), constants.O_RDWR);
    },
    stubborn: (name) => `trap '' TERM; : > ${fileOf(name, 'up')}; ${gated(name)}`,
    ignoresSigterm: async (name) => {
      await until(`${name} ignores SIGTERM`, () => existsSync(fileOf(name, 'up')), withinMs);
    },
  };
}

const forgetUser = `UPDATE target SET user_name = NULL
  WHERE target_id = (SELECT target_id FROM job WHERE name = ?)`;
const setInForce = `UPDATE job_revision JOIN job USING (job_id)
  SET in_force_from = NOW(3) - INTERVAL 1 DAY WHERE name = ?`;
const setCursor = `UPDATE slot JOIN job USING (job_id)
  SET cursor_at = DATE_FORMAT(NOW(3) + INTERVAL ? SECOND, '%Y-%m-%d %H:%i:%s'),
    next_run_at = DATE_FORMAT(NOW(3) + INTERVAL ? SECOND, '%Y-%m-%d %H:%i:%s')
  WHERE name = ? AND state IN ('idle', 'executing')`;
const selectReasons = `SELECT run.reason FROM run JOIN job USING (job_id)
  WHERE job.name = ? AND run.reason IS NOT NULL ORDER BY run.run_id`;
const selectOverlapped = `SELECT 1 FROM slot JOIN job USING (job_id) WHERE job.name = ?
  AND slot.state = 'executing' AND slot.cursor_at <= NOW(3) - INTERVAL 1 SECOND`;
const selectDefinition = `SELECT job_id, definition FROM job_revision JOIN job USING (job_id)
  WHERE job.name = ?`;
