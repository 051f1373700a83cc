import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { formatSince } from '../../domain/verify/since.ts';
import type { RunFilter } from '../../store/runs/listRuns.ts';
import type { RunView } from '../contract/runContract.ts';
import type { ApiOperator } from '../views/apiOperator.ts';
import { itemsOf, type NodeClient } from './nodeClient.ts';
import { orMissing } from './nodeFaults.ts';
import { requestOf } from './requestOf.ts';

type Runs =
  | ('listRuns' | 'listRunning' | 'showRun' | 'readOutput' | 'waitForLaunch' | 'waitForRequest')
  | ('requestLive' | 'readLive' | 'endLive' | 'retryRun' | 'stopRun');

/** The history over a node's API, and what executes now. */
export function httpRuns(client: NodeClient): Pick<ApiOperator, Runs> {
  const showRun = (run: string) => client.call('GET /runs/{run}', { run });
  const live = (run: string, seenBytes: number) =>
    client.call('POST /runs/{run}/live', { run, seenBytes }, { isLook: true });
  return {
    listRuns: (filter) => listRuns(client, filter),
    listRunning: async ({ job, node, groups: group, runsMax }) => {
      const limit = Math.min(runsMax, pageMax);
      return (await client.call('GET /runs', { job, node, group, running: true, limit })).items;
    },
    showRun,
    retryRun: (run, env) => client.call('POST /runs/{run}/retry', { run, env }, lookAt(run)),
    /** Stops a run by any of its names, of a request also what still waits for its turn. */
    stopRun: (run) => client.call('POST /runs/{run}/stop', { run }, lookAt(run)),
    readOutput: async (run) => {
      const { bytes } = await client.bytes(requestOf('GET /runs/{run}/log', { run }));
      return bytes.length === 0 ? null : bytes;
    },
    waitForLaunch: (launchId, timeoutMs) =>
      untilFound(timeoutMs, async () => {
        const run = await orMissing('run_missing', () => showRun(launchId));
        return run?.result === null ? null : run;
      }),
    waitForRequest: (request, timeoutMs) =>
      untilFound(timeoutMs, async () => {
        const page = await client.call('GET /runs', { request, final: true, limit: pageMax });
        const [first] = [...page.items].sort((a, b) => (a.runId ?? 0) - (b.runId ?? 0));
        return first ?? null;
      }),
    requestLive: async (launchId) => {
      await live(launchId, everythingBytes);
    },
    readLive: async (launchId, seenBytes) => {
      const { base64, ...look } = await live(launchId, seenBytes);
      return { ...look, output: base64 === null ? null : Buffer.from(base64, 'base64') };
    },
    // Nodes forget by themselves what nobody requests any more.
    endLive: async () => undefined,
  };
}

const pageMax = 1_000;
/** Who has seen so much is sent nothing. */
const everythingBytes = 2 ** 52;

function lookAt(run: string) {
  return { look: `statecron run show ${run}` };
}

function listRuns(
  client: NodeClient,
  { job, group, node, results: result, since, runsMax }: RunFilter,
): AsyncGenerator<RunView> {
  const where = { job, group, node, result, since: since && formatSince(since) };
  return itemsOf(runsMax, pageMax, (page) => client.call('GET /runs', { ...where, ...page }));
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
