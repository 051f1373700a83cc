import { isTickLaunch } from '../run/run.ts';
import { type FindingLog, instantText } from './rules/finding.ts';
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
import { checkDue } from './runs/checkDue.ts';
import { checkRun } from './runs/checkRun.ts';
import { checkSlot } from './runs/checkSlot.ts';
import { RunLimits } from './runs/runLimits.ts';
import { StartedRuns } from './runs/startedRuns.ts';
import { checkRevisions } from './ticks/checkRevisions.ts';
import { type NamedBySlot, nameBySlot } from './ticks/nameBySlot.ts';
import { TickLedger } from './ticks/tickLedger.ts';
import { tickReports } from './ticks/tickReports.ts';

/**
 * Verifies one job: give it the job's run rows in the order in which they were written (`ended_at`,
 * then `run_id`), then finish. Needs memory for the job's revisions and slots, and none for its
 * history, so that a job with a million rows is as cheap as one with ten.
 */
export class JobVerifier {
  readonly #records: VerifyRecords;
  readonly #scope: VerifyScope;
  readonly #log: FindingLog;
  readonly #named: NamedBySlot;
  readonly #revisions: ReadonlyMap<number, RevisionRecord>;
  readonly #started: StartedRuns;
  readonly #attempts: Attempts;
  readonly #limits: RunLimits;
  readonly #backfills: Backfills;
  /** Ticks before it are owed no row. */
  readonly #sinceMs: number;
  /** One for each cursor: the job's, or one for each node of a job that runs on every node. */
  readonly #ledgers = new Map<string, TickLedger>();

  constructor(records: VerifyRecords, scope: VerifyScope, log: FindingLog) {
    const { job, revisions } = records;
    this.#records = records;
    this.#scope = scope;
    this.#log = log;
    this.#sinceMs = Math.max(scope.sinceMs, job.historyFromMs ?? scope.sinceMs);
    this.#named = nameBySlot(revisions);
    this.#revisions = new Map(revisions.map((revision) => [revision.revision, revision]));
    this.#started = new StartedRuns(job, scope.clockSlackMs, log);
    this.#attempts = new Attempts(job, this.#sinceMs, scope.clockSlackMs, log);
    this.#limits = new RunLimits(job, revisions, scope.clockSlackMs, log);
    this.#backfills = new Backfills(job, scope.nowMs, scope.clockSlackMs, log);
  }

  takeRun(run: RunRecord, session: SessionRecord | null): void {
    const { job } = this.#records;
    const revision = this.#revisions.get(run.revision);
    const terms = this.#named.termsAt(run.endedMs);
    if (run.endedMs >= this.#scope.sinceMs) {
      checkRun(job, run, revision, session, this.#scope.clockSlackMs, this.#log);
      // What was never spawned overlaps nothing, and its tick is started again.
      const { startedMs } = run;
      if (startedMs !== null && run.result !== 'not_started') {
        const started = { ...run, startedMs, ...this.#fateOf(run.revision, session) };
        this.#started.take(started);
        if (this.#counts(run.nodeName, run.revision)) {
          this.#limits.take({ ...run, startedMs, terms });
        }
        if ((revision?.definition?.parallel ?? 1) === 1) this.#backfills.takeStarted(started);
      }
    }
    const isSessionOver = session !== null && session.endedMs !== null;
    this.#attempts.take({ ...run, terms, isSessionOver });
    if (!run.isFinal || !isTickLaunch(run)) return;
    const untilMs = run.scheduledUntilMs ?? run.scheduledForMs;
    if (untilMs < run.scheduledForMs) return;
    const label = runLabel(run);
    const { scheduledForMs: fromMs, ticks } = run;
    this.#ledgerOf(run.nodeName).take({ fromMs, untilMs, ticks, label });
  }

  /** Resolves what is left: what slots hold, and where the cursors stand. Returns the ticks. */
  finish(): number {
    const { job, revisions, slots, pending } = this.#records;
    checkRevisions(job, revisions, this.#named.all, this.#log);
    for (const slot of slots) {
      checkSlot(job, slot, this.#scope, this.#log);
      this.#takeHeld(slot);
    }
    checkDue(job, slots, pending, this.#log);
    for (const request of pending) this.#takePending(request);
    this.#attempts.finish();
    // A job of every node has none while no node may run it.
    const mayHaveNone = revisions.at(-1)?.definition?.kind === 'every-node';
    if (slots.length === 0 && !job.isRemoved && !mayHaveNone) {
      this.#log.add('slot_missing', job.name, 'the job has no slot');
    }
    for (const nodeName of this.#cursors()) this.#finishCursor(nodeName);
    return [...this.#ledgers.values()].reduce((ticks, ledger) => ticks + ledger.ticks, 0);
  }

  /** What a slot holds right now accounts for its tick; what executes was started. */
  #takeHeld(slot: SlotRecord): void {
    const { state, launchId, trigger, scheduledForMs, startedMs, attempt } = slot;
    if (state === 'idle' || scheduledForMs === null || trigger === null) return;
    if (state === 'executing' && startedMs !== null && attempt !== null) {
      const { nodeName, slotNo, requestId, revision } = slot;
      const place = { nodeName, slotNo, requestId, runId: 0, endedMs: null };
      const fate = this.#fateOf(revision, slot.session);
      const what = { launchId, trigger, scheduledForMs, startedMs, attempt };
      this.#started.take({ ...place, ...what, ...fate });
      const open = { revision, isFinal: false, result: null, terms: null };
      if (this.#counts(nodeName, revision)) this.#limits.take({ ...place, ...what, ...open });
    } else this.#backfills.takeWaiting({ ...slot, scheduledForMs });
    if (attempt !== null) this.#attempts.goesOn({ ...slot, scheduledForMs, attempt });
    if (!isTickLaunch(slot)) return;
    const tick = { fromMs: scheduledForMs, untilMs: scheduledForMs, ticks: 1 };
    this.#ledgerOf(slot.nodeName).take({ ...tick, label: `launch ${launchId} (${state})` });
  }

  /** So does what is pending: a tick that waits for its turn or for its next attempt. */
  #takePending(request: PendingRecord): void {
    const { job } = this.#records;
    const { trigger, scheduledForMs, nodeName, attempt } = request;
    if (job.isRemoved) {
      const message = `a ${trigger} launch is requested, and the job is removed`;
      this.#log.add('pending_stray', job.name, message, { tickMs: scheduledForMs });
    }
    this.#attempts.goesOn(request);
    this.#backfills.takeWaiting(request);
    if (!isTickLaunch(request)) return;
    const tick = { fromMs: scheduledForMs, untilMs: scheduledForMs, ticks: 1 };
    const label = `attempt ${attempt} of it, which waits (${trigger}),`;
    this.#ledgerOf(nodeName).take({ ...tick, label });
  }

  /** A run beside the one of the node that was chosen counts for no limit. */
  #counts(nodeName: string, revision: number | null): boolean {
    const isOfEvery = this.#revisions.get(revision ?? 0)?.definition?.kind === 'every-node';
    return nodeName === '' || isOfEvery;
  }

  #fateOf(revision: number | null, session: SessionRecord | null) {
    return {
      sessionEndedMs: session?.endedMs ?? null,
      isLeftToFinish: this.#revisions.get(revision ?? 0)?.isLeftToFinish ?? false,
    };
  }

  #finishCursor(nodeName: string): void {
    const { job, slots } = this.#records;
    const { nowMs } = this.#scope;
    const ledger = this.#ledgerOf(nodeName);
    const named = this.#named.of(nodeName);
    const cursorMs = findCursor(slots, nodeName);
    ledger.finish(cursorMs, nowMs);
    const where = nodeName === '' ? '' : ` on ${nodeName}`;
    if (cursorMs === null) {
      const nextMs = named.next(Math.max(ledger.lastMs, nowMs));
      if (nextMs === null) return;
      const tick = `the schedule’s next tick${where} is ${instantText(nextMs)}`;
      const message = `${tick}, and no cursor stands there`;
      if (slots.length > 0) this.#log.add('cursor_lost', job.name, message, { tickMs: nextMs });
      return;
    }
    if (cursorMs < this.#sinceOf(nodeName) || named.isUnreadable(cursorMs)) return;
    const stands = `the cursor${where} stands at ${instantText(cursorMs)}`;
    if (!named.names(cursorMs)) {
      this.#log.add('cursor_no_tick', job.name, `${stands}, which is no tick of the schedule`, {
        tickMs: cursorMs,
      });
    }
    if (ledger.lastMs >= cursorMs) {
      const ticks = named.count(cursorMs, ledger.lastMs);
      const message = `${stands}, and ticks up to ${instantText(ledger.lastMs)} are accounted for`;
      this.#log.add('cursor_behind', job.name, message, {
        tickMs: cursorMs,
        tickUntilMs: ledger.lastMs,
        ticks,
      });
    }
  }

  /**
   * The cursors that owe ticks: the job's, if it ever was of a kind that has one, and that of each
   * node that has a slot. A node that was forgotten owes nothing; what it reports must be right.
   */
  #cursors(): Iterable<string> {
    const { slots } = this.#records;
    const names = new Set(slots.map(({ nodeName }) => nodeName));
    if (this.#named.hasShared) names.add('');
    return names;
  }

  #ledgerOf(nodeName: string): TickLedger {
    const known = this.#ledgers.get(nodeName);
    if (known !== undefined) return known;
    const reports = tickReports(this.#records.job.name, this.#log);
    const named = this.#named.of(nodeName);
    const ledger = new TickLedger(named, this.#sinceOf(nodeName), reports);
    this.#ledgers.set(nodeName, ledger);
    return ledger;
  }

  /** A node's slot owes the ticks after it was made. */
  #sinceOf(nodeName: string): number {
    if (nodeName === '') return this.#sinceMs;
    const made = this.#records.slots.flatMap((slot) =>
      slot.nodeName === nodeName && slot.createdMs !== null ? [slot.createdMs + 1] : [],
    );
    return Math.max(this.#sinceMs, ...made);
  }
}

/** All slots of a job, or of one node of it, share one cursor. */
function findCursor(slots: readonly SlotRecord[], nodeName: string): number | null {
  const cursors = slots.flatMap((slot) =>
    slot.nodeName === nodeName && slot.cursorMs !== null ? [slot.cursorMs] : [],
  );
  return cursors.length === 0 ? null : Math.min(...cursors);
}
