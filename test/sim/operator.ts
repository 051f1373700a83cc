import { OperatorError } from '../../src/domain/errors/errors.ts';
import type { Outcome } from '../../src/domain/errors/outcome.ts';
import { withLowestFormat } from '../../src/domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import type { JobChangeKind } from '../../src/domain/policies/jobChange.ts';
import type { Operation } from '../checkers/history.ts';
import { commandOf } from './childProcesses.ts';
import { NodeLoop } from './nodeLoop.ts';
import type { NodeWire } from './nodeWire.ts';
import type { PlannedJob, PlannedOperation } from './scenario.ts';
import { addJobRow, changeJobRow, jobNamed } from './store/jobRows.ts';
import { MemoryChannel } from './store/memoryChannel.ts';
import { runJobRow, type StopRowAnswer, stopRunRow } from './store/requestRows.ts';
import type { World } from './world.ts';

/** As an operator's command has them, but for a shorter patience. */
const bounds = { timeoutMs: 5_000, lockWaitMs: 5_000, silenceMs: 5_000 };
/** As `settleOutcome` pauses between its tries. */
const pausesMs = [100, 400, 1_500, 4_000];

interface Answer {
  readonly revision?: number;
  readonly requestId?: string;
}

/**
 * The people at the command line: each operation on a connection of its own, noted as they saw it.
 */
export class Operator {
  readonly operations: Operation[] = [];
  readonly #world: World;
  readonly #loop: NodeLoop;
  readonly #wire: NodeWire;

  constructor(world: World, wire: NodeWire) {
    this.#world = world;
    this.#loop = new NodeLoop(world.timeline);
    this.#wire = wire;
  }

  add(job: PlannedJob): void {
    const definition: JobDefinition = withLowestFormat({
      ...jobDefaults,
      name: job.name,
      schedule: job.schedule,
      timezone: job.timezone,
      timeoutMs: job.timeoutMs,
      command: commandOf(this.#nextToken()),
      ...job.policies,
    });
    this.#note('add', job.name, 'add', async (channel) => {
      const outcome = await addJobRow(channel, definition);
      return settled(outcome, ({ revision }) => ({ revision }));
    });
  }

  /** Does what was planned; a name that is not there is an operation that fails. */
  perform(planned: PlannedOperation): void {
    const { kind, job } = planned;
    const { tables } = this.#world.server;
    const jobId = jobNamed(tables, job)?.jobId ?? 0;
    if (kind === 'run') {
      const requestId = `request-${this.operations.length}`;
      this.#note(kind, job, requestId, async (channel) =>
        settled(await runJobRow(channel, jobId, requestId), () => ({ requestId })),
      );
    } else if (kind === 'stop') {
      const [slot] = tables.slotsByJob.rows(jobId);
      const launchId = slot?.launchId ?? 'none';
      this.#note(kind, job, launchId, async (channel) =>
        settledStop(await stopRunRow(channel, launchId)),
      );
    } else if (kind === 'add') {
      const again = this.#world.scenario.jobs.find(({ name }) => name === job);
      if (again !== undefined) this.add({ ...again, schedule: planned.schedule });
    } else {
      this.#change(kind, job, jobId, planned.schedule);
    }
  }

  #change(kind: JobChangeKind, job: string, jobId: number, schedule: string): void {
    const command = commandOf(this.#nextToken());
    const edit = (definition: JobDefinition) => ({ ...definition, schedule, command });
    this.#note(kind, job, kind === 'edit' ? schedule : kind, async (channel) =>
      settled(await changeJobRow(channel, jobId, kind, edit), ({ revision }) => ({ revision })),
    );
  }

  #nextToken(): string {
    return `edit-${this.operations.length}`;
  }

  /** Notes the request at once and the answer when it comes. */
  #note(
    kind: Operation['kind'],
    job: string,
    detail: string,
    send: (channel: MemoryChannel) => Promise<Answer | 'refused' | 'unknown'>,
  ): void {
    const { server, timeline } = this.#world;
    const place = this.operations.length;
    const sent: Operation = {
      kind,
      job,
      invokedMs: timeline.nowMs(),
      answeredMs: null,
      outcome: 'info',
      revision: null,
      requestId: null,
      detail,
    };
    this.operations.push(sent);
    const parts = { server, timeline, wire: this.#wire, loop: this.#loop, bounds };
    const channel = new MemoryChannel(parts);
    void this.#settle(kind !== 'add', () => send(channel)).then((answer) => {
      channel.destroy();
      const answeredMs = timeline.nowMs();
      const settled: Partial<Operation> =
        typeof answer === 'string'
          ? { outcome: answer === 'refused' ? 'fail' : 'info' }
          : { outcome: 'ok', revision: null, requestId: null, ...answer };
      this.operations[place] = { ...sent, answeredMs, ...settled };
    });
  }

  async #settle(
    mayRepeat: boolean,
    send: () => Promise<Answer | 'refused' | 'unknown'>,
  ): Promise<Answer | 'refused' | 'unknown'> {
    for (let tries = 0; ; tries += 1) {
      const answer = await send().catch(refusedByError);
      const pauseMs = pausesMs[tries];
      // After an unknown outcome a refusal may be of what the first try has done.
      if (answer === 'refused') return tries === 0 ? answer : 'unknown';
      if (answer !== 'unknown' || !mayRepeat || pauseMs === undefined) return answer;
      await new Promise<void>((resolve) => this.#loop.after(pauseMs, resolve));
    }
  }
}

/** An error with a hint for operators was not done; anything else is a bug of the simulation. */
function refusedByError(error: unknown): 'refused' {
  if (error instanceof OperatorError) return 'refused';
  throw error;
}

/** A launch that has ended by itself is an error to whoever wants to stop it. */
function settledStop(outcome: Outcome<StopRowAnswer>): Answer | 'refused' | 'unknown' {
  const hasEnded = outcome.outcome === 'committed' && outcome.value === 'ended';
  return hasEnded ? 'refused' : settled(outcome, () => ({}));
}

function settled<T>(
  outcome: Outcome<T>,
  answer: (value: T) => Answer,
): Answer | 'refused' | 'unknown' {
  return outcome.outcome === 'committed' ? answer(outcome.value) : outcome.outcome;
}
