import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endFileScope, endProcessScope } from '../support/testEngine.ts';
import type { LaneOrder } from './laneMessages.ts';
import { sendToRunner } from './laneMessages.ts';
import { describeHandles } from './openHandles.ts';

/**
 * A process that runs test files one after the other, so that what they share is compiled and
 * loaded once. Each file is a suite; the runner sends the next one when it has heard of the end of
 * the one before (laneReporter.mjs).
 */
process.on('message', (order: LaneOrder) => {
  if (order.kind === 'report.handles') sendToRunner({ kind: 'handles', text: describeHandles() });
  else if (order.file !== null) runFile(order.file);
  // The runner may still ask what keeps this process from ending; that itself does not.
  else void endProcessScope().then(() => process.channel?.unref());
});
sendToRunner({ kind: 'ready' });

function runFile(file: string): void {
  const tellStalls = measureStalls();
  void describe(file, async () => {
    after(tellStalls);
    after(endFileScope);
    await import(pathToFileURL(file).href);
  });
}

const lookPeriodMs = 250;
/** Worth telling: a lease of a test's node may have run out meanwhile. */
const stallMsMin = 3_000;

/** Whether the machine or the tests themselves let nothing go on: the CPU time tells which. */
function measureStalls(): () => void {
  const look = () => ({ atMs: performance.now(), cpuMs: cpuMs() });
  let [last, longest] = [look(), { ms: 0, cpuMs: 0 }];
  const timer = setInterval(() => {
    const now = look();
    const ms = now.atMs - last.atMs;
    if (ms > longest.ms) longest = { ms, cpuMs: now.cpuMs - last.cpuMs };
    last = now;
  }, lookPeriodMs).unref();
  return () => {
    clearInterval(timer);
    if (longest.ms < stallMsMin) return;
    const [stoodMs, usedMs] = [Math.round(longest.ms), Math.round(longest.cpuMs)];
    const text = `stood still for ${stoodMs} ms, ${usedMs} ms of them by its own work`;
    sendToRunner({ kind: 'diagnostic', text });
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
