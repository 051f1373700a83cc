import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { Operation } from '../../checkers/history.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { Random } from '../world/random.ts';
import type { Cli, CliAnswer } from '../world/runCli.ts';
import { argumentsOf, describeArguments } from './operationArguments.ts';
import type { OperationKind, Victim } from './victim.ts';
import type { LedgerPlace } from './workloadJobs.ts';

type SlotState = 'idle' | 'prepare' | 'executing';

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

/** Does what operators do, through the command line, to the jobs that are there for it. */
export class Operator {
  readonly operations: Operation[] = [];
  readonly #parts: OperatorParts;
  readonly #victims: Map<string, Victim>;
  #made: number;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    this.#victims = new Map(parts.victims.map((name) => [name, newVictim(name)]));
    this.#made = parts.victims.length;
  }

  /**
   * One operation, mostly on a job whose slot is in a state that is chosen first; false: there was
   * none to do.
   */
  async perform(random: Random, kinds = kindsByWeight): Promise<boolean> {
    const kind = this.#feasible(random.pick(kinds));
    if (kind === 'add') return this.#add(random);
    const chosen = await this.#findIn(random.pick(states));
    if (chosen === undefined) return false;
    const { victim, launchId, state } = chosen;
    if (kind === 'stop' && launchId === null) return false;
    victim.isBusy = true;
    try {
      // None stays paused for long, else there would be little left to operate on.
      const isResume = victim.isPaused && (kind === 'pause' || random.next() < 0.6);
      const done = isResume ? 'resume' : kind;
      const args = argumentsOf(random, done, victim, launchId, this.#parts.place);
      await this.#change(done, victim, args, `${state}: ${describeArguments(done, args)}`);
      return true;
    } finally {
      victim.isBusy = false;
    }
  }

  #feasible(kind: OperationKind): OperationKind {
    if (kind === 'remove' && this.#victims.size <= victimsMin) return 'add';
    if (kind === 'add' && this.#victims.size >= victimsMax) return 'remove';
    return kind;
  }

  /** Names are not used again, so that each name is one job in every ledger. */
  async #add(random: Random): Promise<boolean> {
    this.#made += 1;
    const victim = newVictim(`victim-${this.#made}`);
    const args = argumentsOf(random, 'add', victim, null, this.#parts.place);
    // Even when nobody knows whether it is there: what is done to it next will tell.
    this.#victims.set(victim.name, victim);
    victim.isBusy = true;
    const outcome = await this.#ask('add', victim.name, args, describeArguments('add', args));
    victim.isBusy = false;
    if (outcome === 'fail') this.#victims.delete(victim.name);
    return true;
  }

  async #change(
    kind: OperationKind,
    victim: Victim,
    args: readonly string[],
    detail: string,
  ): Promise<void> {
    if (kind === 'remove') this.#victims.delete(victim.name);
    const outcome = await this.#ask(kind, victim.name, args, detail);
    if (outcome === 'fail') return;
    if (kind === 'pause') victim.isPaused = true;
    if (kind === 'resume') victim.isPaused = outcome !== 'ok';
  }

  async #ask(
    kind: OperationKind,
    job: string,
    args: readonly string[],
    detail: string,
  ): Promise<Operation['outcome']> {
    const place = this.operations.length;
    const asked = { kind, job, invokedMs: bootNowMs(), revision: null, requestId: null, detail };
    this.operations.push({ ...asked, answeredMs: null, outcome: 'info' });
    const answer = await this.#parts.cli(args);
    const outcome = outcomeOf(answer);
    this.operations[place] = {
      ...asked,
      answeredMs: answer.exitCode === null ? null : bootNowMs(),
      outcome,
      revision: (answer.data?.revision as number | undefined) ?? null,
      requestId: (answer.data?.requestId as string | undefined) ?? null,
      detail: outcome === 'ok' ? detail : `${detail}: ${answer.message}`,
    };
    return outcome;
  }

  /** A job whose slot is in that state now, else any; with the launch that its slot holds. */
  async #findIn(state: SlotState) {
    const free = [...this.#victims.values()].filter(({ isBusy }) => !isBusy);
    if (free.length === 0) return undefined;
    const names = free.map(({ name }) => name);
    const rows = await look(await this.#parts.lookUrl(), names);
    const row = rows.find((each) => each.state === state) ?? rows[0];
    const victim = free.find(({ name, isBusy }) => name === row?.name && !isBusy);
    if (row === undefined || victim === undefined) return undefined;
    return { victim, launchId: row.launch_id as string | null, state: row.state as SlotState };
  }
}

const newVictim = (name: string): Victim => ({ name, isPaused: false, tokens: 1, isBusy: false });

/** Faults of the asker's that say that nothing was done. */
const refusals = new Set(['job_missing', 'job_exists', 'run_missing', 'run_ended', 'usage']);

function outcomeOf({ exitCode, faultCode }: CliAnswer): Operation['outcome'] {
  if (exitCode === 0) return 'ok';
  return faultCode !== null && refusals.has(faultCode) ? 'fail' : 'info';
}

async function look(uri: string, names: readonly string[]): Promise<RowDataPacket[]> {
  const connection = await mysql.createConnection({ uri, connectTimeout: 2_000 });
  connection.on('error', () => undefined); // the query's own error tells
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
