import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { Operation } from '../../checkers/history.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { Random } from '../world/random.ts';
import type { Cli, CliAnswer } from '../world/runCli.ts';
import { commandOf, type LedgerPlace, tokenOf } from './workloadJobs.ts';

export type OperationKind = Operation['kind'];
type SlotState = 'idle' | 'prepare' | 'executing';

/** Does what operators do, through the command line, to the jobs that are there for it. */
export interface Operator {
  readonly operations: readonly Operation[];
  /** One operation on a job whose slot is in a random state; false: there was none to do. */
  perform(random: Random, kinds?: readonly OperationKind[]): Promise<boolean>;
}

interface Victim {
  readonly name: string;
  isPaused: boolean;
  /** Commands that were made for it so far; each has a token of its own. */
  tokens: number;
  isBusy: boolean;
}

export interface OperatorParts {
  readonly cli: Cli;
  readonly place: LedgerPlace;
  readonly victims: readonly string[];
  /** Straight to a member that answers, for looking only. */
  readonly lookUrl: () => Promise<string>;
}

/** How often each is done; a paused job is mostly resumed. */
const kindsByWeight: readonly OperationKind[] = [
  ...(['edit', 'edit', 'edit', 'edit', 'pause', 'pause', 'run', 'run', 'run'] as const),
  ...(['stop', 'stop', 'stop', 'remove', 'add'] as const),
];
const states: readonly SlotState[] = ['idle', 'prepare', 'executing'];
const victimsMin = 4;
const victimsMax = 9;

export function makeOperator(parts: OperatorParts): Operator {
  const operations: Operation[] = [];
  const victims = new Map<string, Victim>(
    parts.victims.map((name) => [name, { name, isPaused: false, tokens: 1, isBusy: false }]),
  );
  let made = parts.victims.length;

  const perform: Operator['perform'] = async (random, kinds = kindsByWeight) => {
    const free = [...victims.values()].filter(({ isBusy }) => !isBusy);
    const kind = feasible(random.pick(kinds), victims.size);
    if (kind === 'add') {
      made += 1;
      return add(`victim-${made}`);
    }
    const state = random.pick(states);
    const chosen = await findIn(state, free);
    if (chosen === undefined) return false;
    const { victim, launchId } = chosen;
    victim.isBusy = true;
    try {
      if (kind === 'stop' && launchId === null) return false;
      // None stays paused for long, else there would be little left to operate on.
      const isResume = victim.isPaused && (kind === 'pause' || random.next() < 0.6);
      await change(random, isResume ? 'resume' : kind, victim, launchId, state);
      return true;
    } finally {
      victim.isBusy = false;
    }

    async function add(name: string): Promise<boolean> {
      const command = commandOf(parts.place, tokenOf(name, 1), [`ms=${random.between(50, 1500)}`]);
      const schedule = `*/${random.between(1, 4)} * * * * *`;
      const args = ['job', 'add', name, '--cron', schedule, '--command', command];
      // Even when nobody knows whether it is there: what is done to it next will tell.
      const victim = { name, isPaused: false, tokens: 1, isBusy: true };
      victims.set(name, victim);
      const outcome = await ask('add', name, args, `${schedule}`);
      if (outcome === 'fail') victims.delete(name);
      victim.isBusy = false;
      return true;
    }
  };

  const change = async (
    random: Random,
    kind: OperationKind,
    victim: Victim,
    launchId: string | null,
    state: SlotState,
  ): Promise<void> => {
    const { name } = victim;
    const args = argumentsOf(random, kind, victim, launchId, parts.place);
    if (kind === 'remove') victims.delete(name);
    const outcome = await ask(kind, name, args, `${state}: ${describe(kind, args)}`);
    if (outcome === 'fail') return;
    if (kind === 'pause') victim.isPaused = true;
    if (kind === 'resume') victim.isPaused = outcome !== 'ok';
  };

  const ask = async (
    kind: OperationKind,
    job: string,
    args: readonly string[],
    detail: string,
  ): Promise<Operation['outcome']> => {
    const place = operations.length;
    const invokedMs = bootNowMs();
    const asked = { kind, job, invokedMs, revision: null, requestId: null, detail };
    operations.push({ ...asked, answeredMs: null, outcome: 'info' });
    const answer = await parts.cli(args);
    const outcome = outcomeOf(answer);
    const isAnswered = answer.exitCode !== null;
    operations[place] = {
      ...asked,
      answeredMs: isAnswered ? bootNowMs() : null,
      outcome,
      revision: (answer.data?.revision as number | undefined) ?? null,
      requestId: (answer.data?.requestId as string | undefined) ?? null,
      detail: outcome === 'ok' ? detail : `${detail}: ${answer.message}`,
    };
    return outcome;
  };

  /** One whose slot is in that state now, else any; with the launch that its slot holds. */
  const findIn = async (state: SlotState, free: readonly Victim[]) => {
    if (free.length === 0) return undefined;
    const rows = await look(
      await parts.lookUrl(),
      free.map(({ name }) => name),
    );
    const row = rows.find((each) => each.state === state) ?? rows[0];
    const victim = free.find(({ name }) => name === row?.name);
    return victim && { victim, launchId: row?.launch_id as string | null };
  };

  return { operations, perform };
}

function feasible(kind: OperationKind, count: number): OperationKind {
  if (kind === 'remove' && count <= victimsMin) return 'add';
  if (kind === 'add' && count >= victimsMax) return 'remove';
  return kind;
}

function argumentsOf(
  random: Random,
  kind: OperationKind,
  victim: Victim,
  launchId: string | null,
  place: LedgerPlace,
): string[] {
  const { name } = victim;
  if (kind === 'stop') return ['run', 'stop', launchId ?? ''];
  if (kind === 'run') return ['job', 'run', name];
  if (kind !== 'edit') return ['job', kind, name];
  victim.tokens += 1;
  const token = tokenOf(name, victim.tokens);
  const command = commandOf(place, token, [`ms=${random.between(50, 2500)}`]);
  const cron = `${random.between(0, 2)}/${random.between(1, 4)} * * * * *`;
  const schedule = random.next() < 0.5 ? ['--cron', cron] : [];
  return ['job', 'edit', name, '--command', command, ...schedule];
}

function describe(kind: OperationKind, args: readonly string[]): string {
  const at = args.indexOf('--cron');
  if (kind === 'edit') return at === -1 ? 'new command' : `new command, ${args[at + 1]}`;
  return kind === 'stop' ? (args[2] ?? '') : kind;
}

/** Faults of the asker's that say that nothing was done. */
const refusals = new Set(['job_missing', 'job_exists', 'run_missing', 'run_ended', 'usage']);

function outcomeOf({ exitCode, faultCode }: CliAnswer): Operation['outcome'] {
  if (exitCode === 0) return 'ok';
  return faultCode !== null && refusals.has(faultCode) ? 'fail' : 'info';
}

async function look(uri: string, names: readonly string[]): Promise<RowDataPacket[]> {
  const connection = await mysql.createConnection({ uri, connectTimeout: 2_000 });
  try {
    const [rows] = await connection.query<RowDataPacket[]>({
      sql: selectSlots,
      timeout: 2_000,
      values: [names],
    });
    return rows;
  } finally {
    connection.destroy();
  }
}

const selectSlots = `SELECT job.name, slot.state, slot.launch_id FROM job JOIN slot USING (job_id)
  WHERE job.removed_no = 0 AND job.name IN (?) ORDER BY RAND()`;
