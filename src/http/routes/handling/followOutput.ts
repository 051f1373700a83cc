import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../../domain/errors/errors.ts';
import { FollowedOutput } from '../../../domain/run/followedOutput.ts';
import { databaseFault } from '../../../store/connection/databaseFault.ts';
import type { ApiVariables } from '../../authentication/api.ts';
import type { Admission } from '../../authentication/authenticator.ts';
import type { RunView } from '../../contract/runContract.ts';
import { busy } from '../../problems/retryLater.ts';

interface Following {
  readonly run: RunView;
  /** What the client has from before. */
  readonly seenBytes: number;
  readonly operate: ApiVariables['operate'];
  readonly admission: Admission;
  /** Takes a place of the caller's for it. */
  readonly holdStream: ApiVariables['holdStream'];
  /** Cuts the connection of a client that does not read. */
  readonly cut: () => void;
}

/** So many follow at one node at once; each reads the database twice a second. */
const followersMax = 100;
const retryAfterMs = 30_000;
const lookMs = 500;
/** The node stops reporting ten seconds after the last request. */
const requestMs = 3_000;
const followMsMax = 15 * 60_000;
/** A client that takes nothing for so long is gone, or wants us to wait for it for ever. */
const stallMsMax = 30_000;
/** The server cuts a connection on which nothing moves for two minutes: this ends before. */
const silenceMsMax = 90_000;
/** How long the database may be away. */
const awayMsMax = 60_000;

let followers = 0;

/**
 * What a launch writes, each byte once, until it has ended. Nothing is read ahead of the client.
 * @throws RetryLater `busy` when too many follow at this node, `too_many_requests` of a token.
 */
export function followOutput(following: Following): ReadableStream<Uint8Array> {
  if (followers >= followersMax) {
    throw busy(
      `${followersMax} follow runs at this node already, which is the most.`,
      retryAfterMs,
    );
  }
  const leave = following.holdStream();
  followers += 1;
  const ended = new AbortController();
  const pieces = piecesOf(following, ended.signal);
  let stalled: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    clearTimeout(stalled);
    followers -= 1;
    leave();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled);
        try {
          const { value, done } = await pieces.next();
          if (done || value === undefined) {
            end();
            controller.close();
            return;
          }
          controller.enqueue(value);
          // The next pull comes when the client has taken it.
          stalled = setTimeout(() => {
            end();
            following.cut();
          }, stallMsMax);
          stalled.unref();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

async function* piecesOf(
  { run: first, seenBytes, operate, admission }: Following,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const followed = new FollowedOutput();
  followed.seenBytes = seenBytes;
  const { launchId } = first;
  if (launchId === null) return;
  const untilMs = performance.now() + followMsMax;
  let silentUntilMs = performance.now() + silenceMsMax;
  let [answeredMs, requestedMs] = [performance.now(), Number.NEGATIVE_INFINITY];
  for (let run = first; run.result === null; ) {
    if (signal.aborted || performance.now() > Math.min(untilMs, silentUntilMs)) return;
    const isRequest = performance.now() - requestedMs >= requestMs;
    try {
      // The token may be revoked meanwhile, or run out.
      if (isRequest && !(await admission.isInForce())) return;
      const look = await operate(async (operator) => {
        if (isRequest) await operator.requestLive(launchId);
        const live = await operator.readLive(launchId, followed.seenBytes);
        return { live, run: await operator.showRun(launchId) };
      });
      const { output, outputBytes } = look.live;
      if (output !== null) {
        yield* followed.take(output, outputBytes);
        silentUntilMs = performance.now() + silenceMsMax;
      }
      run = look.run;
      if (isRequest) requestedMs = performance.now();
      answeredMs = performance.now();
    } catch (error) {
      if (!isPassing(error) || performance.now() - answeredMs > awayMsMax) throw error;
    }
    if (run.result === null) await sleep(lookMs, undefined, { ref: false });
    else first = run;
  }
  const kept = await operate((operator) => operator.readOutput(launchId));
  if (kept !== null) yield* followed.finish(kept, first.outputBytes);
}

/** The database is away, or this node has much to do. */
function isPassing(error: unknown): boolean {
  const fault = error instanceof OperatorError ? error : databaseFault(error);
  return fault?.exitCode === exitCodes.databaseAway || fault?.exitCode === exitCodes.tryAgain;
}
