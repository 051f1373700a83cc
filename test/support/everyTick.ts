import type { JobDefinition } from '../../src/domain/jobDefinition.ts';
import { ticksOfRevision } from '../../src/domain/revisionTicks.ts';
import type { Channel, Row } from '../../src/store/channel.ts';

/** What is wrong with the accounting of one slot's ticks (P19); all empty: nothing is. */
export interface TickFault {
  readonly job: string;
  /** Named by a revision while it was in force, passed by the cursor, and in no row. */
  readonly missing: readonly string[];
  /** In two final rows, or in one and in the slot's hands. */
  readonly twice: readonly string[];
  /** In a row, but no revision names it. */
  readonly unknown: readonly string[];
  /** Ranges whose count is not the number of ticks in them. */
  readonly miscounted: readonly string[];
}

/**
 * Recomputes the ticks of every revision of every job and holds them against the history: each tick
 * that a cursor has passed stands in exactly one final run row, in the range of exactly one, or is
 * what the slot holds right now. Resolves to the faults, none when every tick is accounted for.
 */
export async function findTickFaults(channel: Channel): Promise<TickFault[]> {
  // One snapshot: a run that ends between two reads would be counted by its slot and by its row.
  const [jobs = [], ...rest] = await channel.use(async (connection) => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    const tables: Row[][] = [];
    for (const select of [selectJobs, selectRevisions, selectSlots, selectRuns]) {
      tables.push(await connection.query<Row[]>(select));
    }
    await connection.query('COMMIT');
    return tables;
  });
  const [revisions, slots, runs] = [0, 1, 2].map((place) => groupByJob(rest[place] ?? [])) as [
    ReturnType<typeof groupByJob>,
    ReturnType<typeof groupByJob>,
    ReturnType<typeof groupByJob>,
  ];
  return jobs.flatMap((job) => {
    const id = job.job_id as number;
    const ledger = new TickLedger(revisions.get(id) ?? []);
    for (const slot of slots.get(id) ?? []) ledger.takeSlot(slot);
    for (const run of runs.get(id) ?? []) ledger.takeRun(run);
    const fault = ledger.faults(job.name as string);
    return fault === null ? [] : [fault];
  });
}

/** The ticks of one job with one slot, and how often each is accounted for. */
class TickLedger {
  readonly #named = new Set<number>();
  readonly #seen = new Map<number, number>();
  readonly #miscounted: string[] = [];
  readonly #revisions: readonly Row[];
  #cursorMs = Number.POSITIVE_INFINITY;
  #openMs = Number.NEGATIVE_INFINITY;

  constructor(revisions: readonly Row[]) {
    this.#revisions = revisions;
  }

  takeSlot(slot: Row): void {
    this.#cursorMs = msOf(slot.cursor_at) ?? Number.POSITIVE_INFINITY;
    this.#openMs = (slot.now_at as Date).getTime();
    const isTick = slot.triggered_by === 'schedule' || slot.triggered_by === 'misfire';
    const heldMs = msOf(slot.scheduled_for);
    if (isTick && heldMs !== null) this.#count(heldMs);
  }

  takeRun(run: Row): void {
    if (run.triggered_by === 'manual' || run.is_final !== 1) return;
    const fromMs = (run.scheduled_for as Date).getTime();
    const untilMs = msOf(run.scheduled_until);
    if (untilMs === null) {
      this.#count(fromMs);
      return;
    }
    // The first of a range may be a tick that was kept over an edit.
    const ticks = new Set([fromMs, ...this.#ticksOf(run.revision as number, fromMs, untilMs)]);
    for (const tickMs of ticks) this.#count(tickMs);
    if (ticks.size !== run.ticks) {
      this.#miscounted.push(`${iso(fromMs)}–${iso(untilMs)}: ${run.ticks} for ${ticks.size}`);
    }
  }

  faults(job: string): TickFault | null {
    for (const { revision, in_force_until: until } of this.#revisions) {
      const endMs = Math.min(msOf(until) ?? Number.POSITIVE_INFINITY, this.#endMs());
      for (const tickMs of this.#ticksOf(revision as number, 0, endMs - 1)) {
        this.#named.add(tickMs);
      }
    }
    const missing = [...this.#named].filter((tick) => !this.#seen.has(tick));
    const twice = [...this.#seen].filter(([, times]) => times > 1).map(([tick]) => tick);
    const unknown = [...this.#seen.keys()].filter((tick) => !this.#isNamed(tick));
    const fault = {
      job,
      missing: missing.map(iso),
      twice: twice.map(iso),
      unknown: unknown.map(iso),
      miscounted: this.#miscounted,
    };
    const isFine = [missing, twice, unknown, this.#miscounted].every((each) => each.length === 0);
    return isFine ? null : fault;
  }

  /** Where the obligation ends: at the cursor; without one, at the end of the last revision. */
  #endMs(): number {
    if (this.#cursorMs !== Number.POSITIVE_INFINITY) return this.#cursorMs;
    if (this.#openMs !== Number.NEGATIVE_INFINITY) return this.#openMs;
    return Math.max(...this.#revisions.map((row) => msOf(row.in_force_until) ?? 0));
  }

  /** What the slot holds may lie ahead of the cursor's end, so it is looked up on its own. */
  #isNamed(tickMs: number): boolean {
    if (this.#named.has(tickMs)) return true;
    return this.#revisions.some(
      (row) => this.#ticksOf(row.revision as number, tickMs, tickMs).length > 0,
    );
  }

  #count(tickMs: number): void {
    this.#seen.set(tickMs, (this.#seen.get(tickMs) ?? 0) + 1);
  }

  #ticksOf(revision: number, fromMs: number, untilMs: number): number[] {
    const row = this.#revisions.find((each) => each.revision === revision);
    if (row === undefined || row.paused === 1) return [];
    const startMs = (row.in_force_from as Date).getTime();
    const endMs = (msOf(row.in_force_until) ?? Number.POSITIVE_INFINITY) - 1;
    const source = ticksOfRevision(JSON.parse(row.definition as string) as JobDefinition, startMs);
    const ticks: number[] = [];
    let tick = source.next(Math.max(fromMs, startMs) - 1);
    while (tick !== null && tick <= Math.min(untilMs, endMs)) {
      ticks.push(tick);
      if (ticks.length > ticksMax) throw new Error('too many ticks to check one by one');
      tick = source.next(tick);
    }
    return ticks;
  }
}

const ticksMax = 200_000;

function groupByJob(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.job_id as number);
    if (group === undefined) groups.set(row.job_id as number, [row]);
    else group.push(row);
  }
  return groups;
}

function msOf(value: Date | null): number | null {
  return value === null ? null : value.getTime();
}

const iso = (ms: number): string => new Date(ms).toISOString();

const selectJobs = 'SELECT job_id, name FROM job ORDER BY job_id';
const selectRevisions = 'SELECT * FROM job_revision ORDER BY job_id, revision';
const selectSlots = 'SELECT slot.*, NOW(3) AS now_at FROM slot ORDER BY slot_id';
const selectRuns = 'SELECT * FROM run ORDER BY run_id';
