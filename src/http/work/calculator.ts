import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { readStat } from '../../exec/process/procStat.ts';
import { programFile } from '../../shipped/shippedFiles.ts';
import { FairQueue } from '../admission/fairQueue.ts';
import { busy } from '../problems/retryLater.ts';
import type { Calculations } from './calculations.ts';

/** Does a calculation by its name; see `Calculator.run`. */
export type Calculate = <Name extends keyof Calculations>(
  name: Name,
  input: Parameters<Calculations[Name]>[0],
) => Promise<ReturnType<Calculations[Name]>>;

/**
 * The largest file, 10,000 jobs in 256 KB, takes 1 s and less than 32 MB; those that are made to
 * hurt take 16 s, or 120 MB.
 */
const usualBounds = { cpuMs: 5_000, wallMs: 60_000, heapMb: 64 };
const lookMs = 100;
/** What kept a thread from a processor for a minute goes on for a while. */
const retryAfterMs = 10_000;
const youngHeapMb = 16;
const threadsMax = 2;
/** A thread has 20 MB, and nobody may ask for a preview for weeks. */
const idleMs = 10_000;
const queueBounds = {
  atOnce: threadsMax,
  atOnceOfOne: 1,
  waitingOfOne: 16,
  waitMsMax: 10_000,
  what: 'calculations',
} as const;
/** A token with hundreds of them has half a processor; its next waits for a second at most. */
const restMs = (tookMs: number): number => Math.min(tookMs, 1_000);

/**
 * Does what takes as long as a request wants it to, beside the event loop, which has a node's
 * heartbeats to send: in a few threads, which live only while there is something to do, within
 * bounds of processor time and memory, past which the thread is ended, and with a share for each
 * token. What a busy machine gives no processor is not too complex: it may retry later.
 */
export class Calculator {
  readonly #queue = new FairQueue(queueBounds);
  readonly #bounds: typeof usualBounds;
  readonly #usedMs: typeof usedMs;
  /** Of what is being calculated: each ends its thread. */
  readonly #ends = new Set<AbortController>();
  #pool: Piscina | null = null;

  constructor(bounds: Partial<typeof usualBounds> = {}, clock = usedMs) {
    this.#bounds = { ...usualBounds, ...bounds };
    this.#usedMs = clock;
  }

  /**
   * @param share whose turn it takes: the id of a token
   * @throws OperatorError `too_complex` (422) for what is past the bounds; RetryLater, also
   * for what the machine had no processor for.
   */
  run<Name extends keyof Calculations>(
    share: string,
    name: Name,
    input: Parameters<Calculations[Name]>[0],
  ): Promise<ReturnType<Calculations[Name]>> {
    const calculate = async (): Promise<ReturnType<Calculations[Name]>> => {
      this.#pool ??= this.#open();
      const end = new AbortController();
      const thread = new Int32Array(new SharedArrayBuffer(4));
      const looks = this.#watch(thread, end);
      this.#ends.add(end);
      try {
        return await this.#pool.run({ name, input, thread }, { signal: end.signal });
      } catch (error) {
        if (end.signal.aborted) throw end.signal.reason;
        const isOutOfMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
        throw isOutOfMemory ? tooComplex() : error;
      } finally {
        clearInterval(looks);
        this.#ends.delete(end);
      }
    };
    return this.#queue.run(share, calculate, restMs);
  }

  /** Ends what is past a bound of time; the thread says in `thread` who it is when it begins. */
  #watch(thread: Int32Array, end: AbortController): NodeJS.Timeout {
    const { cpuMs, wallMs } = this.#bounds;
    const beganAt = performance.now();
    let usedBefore: number | null = null;
    return setInterval(() => {
      const id = Atomics.load(thread, 0);
      const used = id === 0 ? null : this.#usedMs(id);
      usedBefore ??= used;
      if (used !== null && used - (usedBefore ?? used) > cpuMs) end.abort(tooComplex());
      if (performance.now() - beganAt > wallMs) {
        end.abort(busy('This node had no processor for the calculation.', retryAfterMs));
      }
    }, lookMs);
  }

  async close(): Promise<void> {
    this.#queue.close();
    await this.#pool?.destroy();
  }

  #open(): Piscina {
    const pool = new Piscina({
      filename: fileURLToPath(programFile('src/http/work/calculationWorker.ts')),
      minThreads: 0,
      maxThreads: threadsMax,
      idleTimeout: idleMs,
      recordTiming: false,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#bounds.heapMb,
        maxYoungGenerationSizeMb: youngHeapMb,
      },
    });
    // One that does not start, e.g. because its file is gone, has no calculation yet that it could
    // fail, and those that wait for it would wait for their time.
    pool.on('error', (error) => {
      for (const end of this.#ends) end.abort(error);
    });
    return pool;
  }
}

/**
 * The processor time that a thread of this process has used, to 10 ms; null when it cannot be read
 * now. For -1, a thread that the system does not tell of, the time of a clock.
 */
function usedMs(threadId: number): number | null {
  if (threadId === -1) return performance.now();
  const stat = readStat(`self/task/${threadId}`);
  // The 14th and the 15th, user and system, in ticks of which Linux shows 100 a second.
  return stat === null ? null : (Number(stat[11]) + Number(stat[12])) * 10;
}

function tooComplex(): OperatorError {
  return new OperatorError({
    code: 'too_complex',
    message: 'The calculation takes more time, or memory, than a node has for one request.',
    hint: 'Ask for less at once: fewer jobs, fewer ticks, simpler schedules.',
    exitCode: exitCodes.usage,
  });
}
