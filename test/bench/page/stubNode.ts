import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamEventData } from '../../../src/http/contract/eventContract.ts';

const [nodeUrl = '', perSecond = '0', jobs = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(nodeUrl);
const tickMs = 20;
const beganMs = Date.now();
let [sent, heldBack] = [0, 0];

/**
 * In front of a node: all is the node's but the stream of events, which is made up, so many a
 * second. What a reader does not take is held back, and counted.
 */
const server = http.createServer((request, response) => {
  const path = request.url ?? '/';
  if (path.startsWith('/api/v1/events')) return void stream(response);
  const { headers, method } = request;
  const passed = http.request({ hostname, port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
});

function stream(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(`event: stream.live\nid: 0\ndata: {"type":"stream.live"}\n\n`);
  let due = 0;
  const timer = setInterval(() => {
    due += (Number(perSecond) * tickMs) / 1_000;
    const count = Math.floor(due);
    due -= count;
    if (response.writableNeedDrain) heldBack += count;
    else {
      response.write(Array.from({ length: count }, () => frameOf(sent++)).join(''));
    }
  }, tickMs);
  response.on('close', () => clearInterval(timer));
}

/** Starts, ends and changes in turn, of one job after the other. */
function frameOf(number: number): string {
  const at = new Date(beganMs + number).toISOString();
  const launch = {
    ...{ group: 'group-1', launchId: `launch-${number}`, nodeName: '', node: 'web1' },
    job: `job-${String(number % Number(jobs)).padStart(6, '0')}`,
    ...{ revision: 1, slotNo: 0, attempt: 1, sessionId: 's1', requestId: null },
    trigger: 'schedule' as const,
    scheduledFor: at,
  };
  const events: StreamEventData[] = [
    { ...launch, type: 'run.started', startedAt: at },
    {
      ...{ ...launch, type: 'run.ended', runId: number + 1, result: 'succeeded', isFinal: true },
      ...{ scheduledUntil: null, startedAt: at, endedAt: at, exitCode: 0, signal: null },
      ...{ reason: null, ticks: 1, outputBytes: 0 },
    },
    { ...launch, type: 'slot.changed', state: 'executing', from: 'prepare' },
  ];
  const event = events[number % events.length] as StreamEventData;
  return `event: ${event.type}\nid: ${number + 1}\ndata: ${JSON.stringify(event)}\n\n`;
}

server.listen(0, '127.0.0.1', () => {
  const { port: own } = server.address() as AddressInfo;
  process.send?.({ listening: `http://127.0.0.1:${own}` });
});
process.on('message', ({ command }: { command: string }) => {
  if (command === 'report') process.send?.({ report: { sent, heldBack } });
});
process.on('disconnect', () => process.exit(0));
