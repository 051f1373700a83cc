import { isTickLaunch } from '../run/run.ts';
import { type FindingLog, instantText } from './rules/finding.ts';
import { JobCheck } from './rules/jobCheck.ts';
import {
  type PendingRecord,
  type RevisionRecord,
  type RunRecord,
  runLabel,
  type SessionRecord,
  type SlotRecord,
  type VerifyRecords,
} from './rules/records.ts';
import type { VerifyScope } from './rules/verifyScope.ts';
import { Attempts } from './runs/attempts.ts';
import { Backfills } from './runs/backfills.ts';
import { checkRun } from './runs/checkRun.ts';
import { checkDue, checkSlot, earliest } from './runs/checkSlot.ts';
import { RunLimits } from './runs/runLimits.ts';
import { StartedRuns } from './runs/startedRuns.ts';
import { checkRevisions } from './ticks/checkRevisions.ts';
import { type NamedBySlot, nameBySlot } from './ticks/namedTicks.ts';
import { TickLedger } from './ticks/tickLedger.ts';

/**
 * Verifies one job: give it the job's run rows in the order in which they were written (`ended_at`,
 * then `run_id`), then finish. Needs memory for the job's revisions and slots, and none for its
 * history, so that a job with a million rows is as cheap as one with ten.
 */
export class JobVerifier extends JobCheck {
  readonly #records: VerifyRecords;
  readonly #named: NamedBySlot;
  readonly #revisions: ReadonlyMap<number, RevisionRecord>;
  readonly #started: StartedRuns;
  readonly #attempts: Attempts;
  readonly #limits: RunLimits;
  readonly #backfills: Backfills;
  /** One for each cursor: the job's, or one for each node of a job that runs on every node. */
  readonly #ledgers = new Map<string, TickLedger>();

  constructor(records: VerifyRecords, scope: VerifyScope, log: FindingLog) {
    const { job, revisions } = records;
    super(job, scope, log);
    this.#records = records;
    this.#named = nameBySlot(revisions);
    this.#revisions = new Map(revisions.map((revision) => [revision.revision, revision]));
    this.#started = new StartedRuns(job, scope, log);
    this.#attempts = new Attempts(job, scope, log);
    this.#limits = new RunLimits(records, scope, log);
    this.#backfills = new Backfills(job, scope, log);
  }

  takeRun(run: RunRecord, session: SessionRecord | null): void {
    const revision = this.#revisions.get(run.revision);
    const terms = this.#named.termsAt(run.endedMs);
    if (run.endedMs >= this.scope.sinceMs) {
      checkRun(this, run, revision, session);
      // What was never spawned overlaps nothing, and its tick is started again.
      const { startedMs } = run;
      if (startedMs !== null && run.result !== 'not_started') {
        const started = { ...run, startedMs, terms, ...this.#fateOf(run.revision, session) };
        this.#started.take(started);
        if (this.#counts(run)) this.#limits.take(started);
        if ((revision?.definition?.parallel ?? 1) === 1) this.#backfills.takeStarted(started);
      }
    }
    const isSessionOver = session !== null && session.endedMs !== null;
    this.#attempts.take({ ...run, terms, isSessionOver });
    if (!run.isFinal || !isTickLaunch(run)) return;
    const { scheduledForMs: fromMs, ticks } = run;
    const untilMs = run.scheduledUntilMs ?? fromMs;
    if (untilMs < fromMs) return;
    this.#ledgerOf(run.nodeName).take({ fromMs, untilMs, ticks, label: runLabel(run) });
  }

  /** Resolves what is left: what slots hold, and where the cursors stand. Returns the ticks. */
  finish(): number {
    const { revisions, slots, pending } = this.#records;
    checkRevisions(this, revisions, this.#named.all);
    for (const slot of slots) {
      checkSlot(this, slot);
      this.#takeHeld(slot);
    }
    checkDue(this, slots, pending);
    for (const request of pending) this.#takePending(request);
    this.#attempts.finish();
    // A job of every node has none while no node may run it.
    const mayHaveNone = revisions.at(-1)?.definition?.kind === 'every-node';
    if (slots.length === 0 && !this.job.isRemoved && !mayHaveNone) {
      this.report('slot_missing', 'the job has no slot');
    }
    for (const nodeName of this.#cursors()) this.#finishCursor(nodeName);
    return [...this.#ledgers.values()].reduce((ticks, ledger) => ticks + ledger.ticks, 0);
  }

  /** What a slot holds right now accounts for its tick; what executes was started. */
  #takeHeld(slot: SlotRecord): void {
    const { state, launchId, trigger, scheduledForMs, startedMs, attempt } = slot;
    if (state === 'idle' || scheduledForMs === null || trigger === null) return;
    if (state === 'executing' && startedMs !== null && attempt !== null) {
      const held = { ...slot, trigger, scheduledForMs, startedMs, attempt };
      const open = { runId: 0, endedMs: null, isFinal: false, result: null, terms: null };
      const started = { ...held, ...open, ...this.#fateOf(slot.revision, slot.session) };
      this.#started.take(started);
      if (this.#counts(slot)) this.#limits.take(started);
    } else this.#backfills.takeWaiting({ ...slot, scheduledForMs });
    if (attempt !== null) this.#attempts.goesOn({ ...slot, scheduledForMs, attempt });
    if (!isTickLaunch(slot)) return;
    this.#takeTick(slot.nodeName, scheduledForMs, `launch ${launchId} (${state})`);
  }

  /** So does what is pending: a tick that waits for its turn or for its next attempt. */
  #takePending(request: PendingRecord): void {
    const { trigger, scheduledForMs, attempt } = request;
    if (this.job.isRemoved) {
      const message = `a ${trigger} launch is requested, and the job is removed`;
      this.report('pending_stray', message, { tickMs: scheduledForMs });
    }
    this.#attempts.goesOn(request);
    this.#backfills.takeWaiting(request);
    if (!isTickLaunch(request)) return;
    const label = `attempt ${attempt} of it, which waits (${trigger}),`;
    this.#takeTick(request.nodeName, scheduledForMs, label);
  }

  #takeTick(nodeName: string, tickMs: number, label: string): void {
    this.#ledgerOf(nodeName).take({ fromMs: tickMs, untilMs: tickMs, ticks: 1, label });
  }

  /** A run beside the one of the node that was chosen counts for no limit. */
  #counts({ nodeName, revision }: { nodeName: string; revision: number | null }): boolean {
    return nodeName === '' || this.#revisions.get(revision ?? 0)?.definition?.kind === 'every-node';
  }

  #fateOf(revision: number | null, session: SessionRecord | null) {
    return {
      sessionEndedMs: session?.endedMs ?? null,
      isLeftToFinish: this.#revisions.get(revision ?? 0)?.isLeftToFinish ?? false,
    };
  }

  #finishCursor(nodeName: string): void {
    const { nowMs } = this.scope;
    const own = this.#records.slots.filter((slot) => slot.nodeName === nodeName);
    const ledger = this.#ledgerOf(nodeName);
    const named = this.#named.of(nodeName);
    // All slots of a job, or of one node of it, share one cursor.
    const cursorMs = earliest(own.map((slot) => slot.cursorMs));
    ledger.finish(cursorMs, nowMs);
    const where = nodeName === '' ? '' : ` on ${nodeName}`;
    if (cursorMs === null) {
      const nextMs = named.next(Math.max(ledger.lastMs, nowMs));
      if (nextMs === null || this.#records.slots.length === 0) return;
      const tick = `the schedule’s next tick${where} is ${instantText(nextMs)}`;
      this.report('cursor_lost', `${tick}, and no cursor stands there`, { tickMs: nextMs });
      return;
    }
    if (cursorMs < this.#sinceOf(nodeName) || named.isUnreadable(cursorMs)) return;
    const stands = `the cursor${where} stands at ${instantText(cursorMs)}`;
    if (!named.names(cursorMs)) {
      const message = `${stands}, which is no tick of the schedule`;
      this.report('cursor_no_tick', message, { tickMs: cursorMs });
    }
    const { lastMs } = ledger;
    if (lastMs >= cursorMs) {
      const message = `${stands}, and ticks up to ${instantText(lastMs)} are accounted for`;
      const ticks = named.count(cursorMs, lastMs);
      this.report('cursor_behind', message, { tickMs: cursorMs, tickUntilMs: lastMs, ticks });
    }
  }

  /**
   * The cursors that owe ticks: the job's, if it ever was of a kind that has one, and that of each
   * node that has a slot. A node that was forgotten owes nothing; what it reports must be right.
   */
  #cursors(): Iterable<string> {
    const names = new Set(this.#records.slots.map(({ nodeName }) => nodeName));
    if (this.#named.hasShared) names.add('');
    return names;
  }

  #ledgerOf(nodeName: string): TickLedger {
    const known = this.#ledgers.get(nodeName);
    if (known !== undefined) return known;
    const ledger = new TickLedger(this, this.#named.of(nodeName), this.#sinceOf(nodeName));
    this.#ledgers.set(nodeName, ledger);
    return ledger;
  }

  /** A node's slot owes the ticks after it was made. */
  #sinceOf(nodeName: string): number {
    if (nodeName === '') return this.sinceMs;
    const own = this.#records.slots.filter((slot) => slot.nodeName === nodeName);
    return Math.max(this.sinceMs, ...own.map(({ createdMs }) => (createdMs ?? -Infinity) + 1));
  }
}
