import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definitionOf } from '../../../src/domain/job/edit/buildDefinition.ts';
import type { JobFields } from '../../../src/domain/job/jobPolicies.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { until } from '../../support/until.ts';
import type { NodeProcess } from '../nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from '../nodeWorld.ts';

/** One row of the table of words in docs/jobs.md. */
export interface TableRow {
  /** The row as it is read: `WORD VALUE: WHAT HAPPENS`, without the marks of code. */
  readonly title: string;
  /** Why it cannot be held here. */
  readonly skip?: string | false;
  /** Adds its jobs, before any tick of the table. */
  prepare?(world: TableWorld): Promise<void>;
  /** Resolves when what the row says has been seen; fails when it is otherwise. */
  holds(world: TableWorld): Promise<void>;
}

export interface TableWorld extends Omit<NodeWorld, 'join'> {
  /** The instant that the ticks of the rows are counted from, on a whole second. */
  baseMs: number;
  /** Puts the base so far ahead; jobs with ticks after it are added next. */
  begin(aheadMs: number): Promise<void>;
  readonly nodes: Map<string, NodeProcess>;
  /** Starts a node that claims as little ahead as can be, so that it follows changes soon. */
  join(name: string, args?: readonly string[]): NodeProcess;
  /** `@at` with instants so many seconds after the base. */
  at(...seconds: number[]): string;
  /** Waits until so many seconds after the base, by the database's clock. */
  pass(seconds: number): Promise<void>;
  /** A job in the words of `job add`; durations are milliseconds. */
  job(name: string, words: JobFields): Promise<void>;
  /** A command that runs until `open` is called for the name. */
  gated(name: string): string;
  open(name: string): void;
  /** The history of a job, oldest first, once it has so many rows; each with its node's name. */
  history(name: string, rowsMin: number, result?: string): Promise<Row[]>;
  /** Resolves to the launch ids of a job when so many of its launches execute. */
  executing(name: string, launches: number): Promise<string[]>;
}

/** Of what may come after many other things, on a machine that is busy besides. */
export const waitMsMax = 300_000;

/** A world without nodes, whose base is now. */
export async function makeTableWorld(scope: Scope): Promise<TableWorld> {
  const world = await makeNodeWorld(scope);
  const folder = mkdtempSync(join(tmpdir(), 'statecron-table-'));
  world.scope.after(async () => rmSync(folder, { recursive: true }));
  const nowMs = async (): Promise<number> => {
    const [row] = await world.rows('SELECT NOW(3) AS at');
    assert.ok(row);
    return row.at.getTime();
  };
  const nodes: TableWorld['nodes'] = new Map();
  const gate = (name: string): string => join(folder, name.replaceAll(' ', '-'));
  const made: TableWorld = {
    ...world,
    baseMs: 0,
    begin: async (aheadMs) => {
      made.baseMs = Math.ceil(((await nowMs()) + aheadMs) / 1000) * 1000;
    },
    nodes,
    join: (name, args = []) => {
      const node = world.start(name, ['--horizon', '1s', ...args]);
      nodes.set(name, node);
      return node;
    },
    at: (...seconds) =>
      `@at ${seconds.map((each) => instant(made.baseMs + each * 1000)).join(',')}`,
    pass: async (seconds) => {
      const isOver = async () => (await nowMs()) > made.baseMs + seconds * 1000;
      await until(`${seconds} s after the base`, isOver, 90_000);
    },
    job: async (name, words) => {
      await addJob(world.channel, definitionOf(name, words));
    },
    gated: (name) => `until [ -e ${gate(name)} ]; do sleep 0.05; done`,
    open: (name) => writeFileSync(gate(name), ''),
    history: (name, rowsMin, result) =>
      until(
        `${rowsMin} rows of ${name}`,
        async () => {
          const rows = await world.rows(selectHistory, [name]);
          const wanted = rows.filter((row) => result === undefined || row.result === result);
          return wanted.length >= rowsMin && wanted;
        },
        waitMsMax,
      ),
    executing: (name, launches) =>
      until(
        `${launches} of ${name}`,
        async () => {
          const rows = await world.rows(selectExecuting, [name]);
          return rows.length === launches && rows.map((row) => row.launch_id as string);
        },
        waitMsMax,
      ),
  };
  await made.begin(0);
  return made;
}

/** Ends every node as an operator does; then every tick is accounted for, nothing was broken. */
export async function drainAndVerify(world: TableWorld): Promise<void> {
  for (const { guardian } of world.nodes.values()) guardian.kill('SIGTERM');
  for (const { exited, log } of world.nodes.values()) {
    assert.deepEqual(await exited(), [0, null], log());
  }
  assert.equal(await world.count('run WHERE started_at < scheduled_for'), 0, 'none early');
  await world.requireEveryTick();
}

/** How a row of the history ended, and why. */
export const endOf = (row: Row | undefined): [unknown, unknown] => [row?.result, row?.reason];

/** The tick of each row, in seconds after the base. */
export function ticksOf(world: TableWorld, rows: readonly Row[]): number[] {
  return rows.map((row) => (row.scheduled_for.getTime() - world.baseMs) / 1000);
}

/** The ticks, milliseconds since 1970, that a row of a job with one every so often tells of. */
export function reportedTicks(row: Row, everyMs: number): number[] {
  const fromMs: number = row.scheduled_for.getTime();
  const untilMs = row.scheduled_until?.getTime() ?? fromMs;
  const count = (untilMs - fromMs) / everyMs + 1;
  return Array.from({ length: count }, (_, place) => fromMs + place * everyMs);
}

export const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Without starts that were not acknowledged: nothing was spawned, and the same tick is next. */
const selectHistory = `SELECT run.*, run.node_name AS slot_node_name, session.node_name,
    CAST(run_output.output AS CHAR) AS output
  FROM run JOIN job USING (job_id) LEFT JOIN session USING (session_id)
    LEFT JOIN run_output ON run_output.launch_id = run.launch_id
  WHERE job.name = ? AND run.result <> 'not_started'
  ORDER BY run.scheduled_for, run.attempt, run.run_id`;
const selectExecuting = `SELECT slot.launch_id FROM slot JOIN job USING (job_id)
  WHERE job.name = ? AND slot.state = 'executing'`;
