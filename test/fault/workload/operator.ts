import mysql, { type RowDataPacket } from 'mysql2/promise';
import type { Operation } from '../../checkers/history.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { Random } from '../world/random.ts';
import type { JobMix } from './jobMix.ts';
import {
  describeOperation,
  drawOperation,
  type OperationRequest,
  type OperationWay,
} from './operationRequest.ts';
import type { OperationKind, Victim } from './victim.ts';

type SlotState = 'idle' | 'prepare' | 'executing';

export interface OperatorParts {
  /** The way of each operation; null: there is none now. */
  readonly chooseWay: (random: Random) => OperationWay | null;
  readonly mix: JobMix;
  /** Straight to a member that answers, for looking only. */
  readonly lookUrl: () => Promise<string>;
}

const states: readonly SlotState[] = ['idle', 'prepare', 'executing'];
const victimsMin = 4;
const victimsMax = 9;

/** Does what operators do to the jobs that are there for it, by the ways that it is given. */
export class Operator {
  readonly operations: Operation[] = [];
  readonly #parts: OperatorParts;
  readonly #victims: Map<string, Victim>;
  #made: number;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
    this.#victims = new Map(parts.mix.victims.map((name) => [name, newVictim(name)]));
    this.#made = parts.mix.victims.length;
  }

  get gapMs(): JobMix['gapMs'] {
    return this.#parts.mix.gapMs;
  }

  /**
   * One operation, mostly on a job whose slot is in a state that is chosen first; false: there was
   * none to do, or no way to do it by.
   */
  async perform(
    random: Random,
    kinds = this.#parts.mix.kinds,
    way = this.#parts.chooseWay(random),
  ): Promise<boolean> {
    const made = kinds.filter((kind) => this.#parts.mix.kinds.includes(kind));
    if (way === null || made.length === 0) return false;
    const kind = this.#feasible(random.pick(made));
    if (kind === 'add') return this.#add(random, way);
    const chosen = await this.#findIn(random.pick(states));
    if (chosen === undefined) return false;
    const { victim, launchId, state } = chosen;
    if (kind === 'stop' && launchId === null) return false;
    victim.isBusy = true;
    try {
      // None stays paused for long, else there would be little left to operate on.
      const isResume = victim.isPaused && (kind === 'pause' || random.next() < 0.6);
      const done = isResume ? 'resume' : kind;
      const request = drawOperation(random, done, victim, launchId, this.#parts.mix);
      await this.#change(victim, request, `${state}: ${describeOperation(request)}`, way);
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
  async #add(random: Random, way: OperationWay): Promise<boolean> {
    this.#made += 1;
    const victim = newVictim(`victim-${this.#made}`);
    const request = drawOperation(random, 'add', victim, null, this.#parts.mix);
    // Even when nobody knows whether it is there: what is done to it next will tell.
    this.#victims.set(victim.name, victim);
    victim.isBusy = true;
    const outcome = await this.#send(request, describeOperation(request), way);
    victim.isBusy = false;
    if (outcome === 'fail') this.#victims.delete(victim.name);
    return true;
  }

  async #change(
    victim: Victim,
    request: OperationRequest,
    detail: string,
    way: OperationWay,
  ): Promise<void> {
    const { kind } = request;
    if (kind === 'remove') this.#victims.delete(victim.name);
    const outcome = await this.#send(request, detail, way);
    if (outcome === 'fail') return;
    if (kind === 'pause') victim.isPaused = true;
    if (kind === 'resume') victim.isPaused = outcome !== 'ok';
  }

  async #send(
    request: OperationRequest,
    about: string,
    way: OperationWay,
  ): Promise<Operation['outcome']> {
    const place = this.operations.length;
    const { kind, job } = request;
    const { via, whom } = way;
    const detail = whom === '' ? about : `by ${whom}: ${about}`;
    const invokedMs = bootNowMs();
    const known = { kind, job, invokedMs, revision: null, requestId: null, detail, via };
    this.operations.push({ ...known, answeredMs: null, outcome: 'info' });
    const { isAnswered, message, ...answered } = await way.send(request);
    const { outcome } = answered;
    this.operations[place] = {
      ...known,
      answeredMs: isAnswered ? bootNowMs() : null,
      ...answered,
      detail: outcome === 'ok' ? detail : `${detail}: ${message}`,
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
