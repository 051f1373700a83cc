import { setTimeout as sleep } from 'node:timers/promises';
import { formatDuration } from '../../domain/duration.ts';
import { exitCodes, OperatorError } from '../../domain/errors.ts';
import type { RunFilter } from '../../store/runs/listRuns.ts';
import type { LiveJson, RunPageJson } from '../schemas/runSchemas.ts';
import type { RunView } from '../views/runView.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import { runPath } from './httpAsking.ts';
import type { NodeClient } from './nodeClient.ts';
import { orMissing } from './orMissing.ts';

type Runs =
  | ('listRuns' | 'listRunning' | 'showRun' | 'readOutput' | 'waitForLaunch' | 'waitForRequest')
  | ('askLive' | 'readLive' | 'endLive');

/** The history over a node's API, and what executes now. */
export function httpRuns(client: NodeClient): Pick<ShownOperator, Runs> {
  const showRun = async (id: string): Promise<RunView> =>
    (await client.json<RunView>({ method: 'GET', path: runPath(id) })).body;
  const look = async (launchId: string, seenBytes: number): Promise<LiveJson> => {
    const path = `${runPath(launchId)}/live`;
    const asked = { method: 'POST', path, body: { seenBytes }, isLook: true } as const;
    return (await client.json<LiveJson>(asked)).body;
  };
  return {
    listRuns: (filter) => listRuns(client, filter),
    listRunning: async ({ job, runsMax }) => {
      const query = { job, running: true, limit: Math.min(runsMax, pageMax) };
      const { body } = await client.json<RunPageJson>({ method: 'GET', path: 'runs', query });
      return body.items;
    },
    showRun,
    readOutput: async (launchId) => {
      const { bytes } = await client.bytes({ method: 'GET', path: `${runPath(launchId)}/log` });
      return bytes.length === 0 ? null : bytes;
    },
    waitForLaunch: (launchId, timeoutMs) =>
      untilFound(timeoutMs, async () => {
        const run = await orMissing('run_missing', () => showRun(launchId));
        return run?.result === null ? null : run;
      }),
    waitForRequest: (requestId, timeoutMs) =>
      untilFound(timeoutMs, async () => {
        const query = { request: requestId, final: true, limit: pageMax };
        const { body } = await client.json<RunPageJson>({ method: 'GET', path: 'runs', query });
        const [first] = body.items.sort((a, b) => (a.runId ?? 0) - (b.runId ?? 0));
        return first ?? null;
      }),
    askLive: async (launchId) => {
      await look(launchId, everythingBytes);
    },
    readLive: async (launchId, seenBytes) => {
      const { base64, outputBytes, isTold } = await look(launchId, seenBytes);
      return {
        output: base64 === null ? null : Buffer.from(base64, 'base64'),
        outputBytes,
        isTold,
      };
    },
    // Nodes forget by themselves what nobody asks for any more.
    endLive: async () => undefined,
  };
}

const pageMax = 1_000;
/** Who has seen so much is sent nothing. */
const everythingBytes = 2 ** 52;

async function* listRuns(
  client: NodeClient,
  { job, sinceMs, runsMax }: RunFilter,
): AsyncGenerator<RunView> {
  const since = sinceMs === undefined ? undefined : formatDuration(sinceMs);
  let after: string | undefined;
  for (let left = runsMax; left > 0; ) {
    const query = { job, since, after, limit: Math.min(left, pageMax) };
    const { body } = await client.json<RunPageJson>({ method: 'GET', path: 'runs', query });
    yield* body.items;
    left -= body.items.length;
    if (body.next === null) return;
    after = body.next;
  }
}

const pollMs = 400;
/** How long node or database may be away before a waiter gives up. */
const awayMsMax = 60_000;

async function untilFound(
  timeoutMs = Number.POSITIVE_INFINITY,
  find: () => Promise<RunView | null>,
): Promise<RunView | null> {
  const untilMs = performance.now() + timeoutMs;
  let answeredMs = performance.now();
  for (;;) {
    try {
      const found = await find();
      answeredMs = performance.now();
      if (found !== null) return found;
    } catch (error) {
      const isAway = error instanceof OperatorError && error.exitCode === exitCodes.databaseAway;
      if (!isAway || performance.now() - answeredMs > awayMsMax) throw error;
    }
    if (performance.now() >= untilMs) return null;
    await sleep(Math.min(pollMs, Math.max(1, untilMs - performance.now())));
  }
}
