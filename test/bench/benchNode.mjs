// A node as it ships (the built program), in a process of its own that its bench can measure from
// within. Commands and figures go over the process's channel.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ActivityCounts } from '../../src/actors/runtime/activityCounts.ts';
import { tuneHeap } from '../../src/cli/node/tuneHeap.ts';
import { makeApiServer } from '../../src/http/apiServer.ts';
import { httpDefaults } from '../../src/http/server/httpSettings.ts';
import { openListener } from '../../src/http/server/openListener.ts';
import { startNode } from '../../src/startNode.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';

tuneHeap();
const options = JSON.parse(process.argv[2]);
if (options.isCounting === false) ActivityCounts.prototype.count = (machine) => machine;
// Each look wakes the node: beside clients of its API seldom, since two cores are shared by all.
const resolutionMs = options.hasApi ? 20 : 5;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
const batchSizes = [];
const troubles = [];

const nothing = {
  result: 'succeeded',
  exitCode: 0,
  signal: null,
  reason: null,
  output: new Uint8Array(0),
  outputBytes: 0,
};
const noPool = { stop: () => {}, killEverything: async () => {}, close: async () => {} };

/** Real children for the jobs that are named, none for all others. */
function makeExecutor(makePool) {
  const pool = options.childrenOf.length === 0 ? noPool : makePool();
  const isReal = (launch) => options.childrenOf.includes(launch.definition.name);
  return { ...pool, run: async (launch) => (isReal(launch) ? pool.run(launch) : nothing) };
}

/** Any free port; whoever benches has made a token. */
async function openApiListener() {
  const settings = { ...httpDefaults, port: 0, isPortWanted: true, ...options.http };
  return { settings, listener: await openListener(settings, async () => true) };
}

const http = options.hasApi ? await openApiListener() : null;
const node = startNode({
  database: readDatabaseUrl(options.url),
  nodeName: options.nodeName ?? 'bench',
  settings: {
    capacity: options.capacity,
    concurrency: options.concurrency,
    horizonMs: 30_000,
    ttlMs: options.ttlMs ?? 45_000,
    drainTimeoutMs: 5_000,
    keep: options.keep,
  },
  threads: 1,
  version: '0.0.0',
  guardian: null,
  makeApi: http && ((...args) => makeApiServer(http, ...args)),
  reports: {
    serving: () => process.send({ serving: { apiUrl: http?.listener.url ?? '' } }),
    draining: () => {},
    waitingForName: () => {},
    runEnded: () => {},
    batchEnded: (rows) => batchSizes.push(rows),
    trouble: (what, error) => troubles.push(`${what}: ${error?.message}`),
  },
  ...(options.childrenOf === undefined ? {} : { makeExecutor }),
});

process.on('message', ({ command }) => {
  if (command === 'drain') node.drain();
  if (command === 'measure') {
    delay.reset();
    delay.enable();
    batchSizes.length = 0;
    process.send({ measuring: true });
  }
  if (command === 'report') {
    process.send({
      report: {
        loopDelayMs: {
          p99: delay.percentile(99) / 1e6 - resolutionMs,
          max: delay.max / 1e6 - resolutionMs,
        },
        batchSizes,
        troubles,
        prepared: node.roster.size,
        rssMb: process.memoryUsage().rss / 1e6,
        cpuMs: (process.cpuUsage().user + process.cpuUsage().system) / 1e3,
        statements: node.store.statements(),
      },
    });
  }
});
process.on('disconnect', () => node.drain());

const { ending, error, fence } = await node.ended;
if (ending !== 'left') console.error(ending, error ?? fence);
process.exit(ending === 'left' ? 0 : 1);
