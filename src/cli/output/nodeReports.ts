import type { NodeReports, NodeSettings } from '../../actors/runtime/runtime.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { Execution } from '../../domain/run/run.ts';
import { isoInZone } from '../../domain/schedule/placeInZone.ts';
import { formatInstant } from './formatInstant.ts';
import type { NodeLog } from './nodeLog.ts';
import { OutageLog } from './outageLog.ts';
import { printLine } from './print.ts';

/** The same trouble is reported again no sooner than this, with how often it came meanwhile. */
const repeatMsMin = 10_000;

/**
 * What a node reports while it works: its life to the log (stderr), and, where it is to show
 * runs, one line per run to stdout.
 */
export function makeNodeReports(
  log: NodeLog,
  node: { nodeName: string; settings: NodeSettings; showRuns: boolean },
): NodeReports {
  const said = new Map<string, { atMs: number; times: number }>();
  const outages = new OutageLog(log);
  let isStopping = false;
  return {
    serving: () => log.info(`the node ${node.nodeName} serves`),
    draining: () => {
      const seconds = node.settings.drainTimeoutMs / 1000;
      log.info(`draining: nothing more is claimed, runs may end for ${seconds} s`);
    },
    stoppingRuns: (runs) => {
      // It is tried again until nothing runs.
      if (isStopping) return;
      isStopping = true;
      const what =
        runs === 1 ? 'a run is stopped, which has' : `${runs} runs are stopped, which have`;
      log.warn(`${what} not ended in time (--drain-timeout)`);
    },
    nodeLost: (name, why) => log.warn(`the node ${name} is lost: ${why}; others go on for it`),
    waitingForName: (rivalSessionId, ttlMs) =>
      log.warn(
        `a session of the name ${node.nodeName} is still live (${rivalSessionId}); ` +
          `if its node is gone it runs out within ${ttlMs / 1000} s`,
      ),
    runEnded: (launch, execution) => {
      if (node.showRuns) printLine(runLine(launch, execution));
    },
    recordedLate: (launchId, job, { result }) =>
      log.info(
        `the result of run ${launchId} of ${job} (${result}) was recorded late: ` +
          'its node had been lost',
      ),
    databaseAnswered: () => outages.answered(),
    resultRecorded: (waitedMs) => outages.recorded(waitedMs),
    batchEnded: () => undefined,
    trouble: (what, error) => {
      if (outages.failed(error)) return;
      const last = said.get(what);
      const nowMs = performance.now();
      if (last !== undefined && nowMs - last.atMs < repeatMsMin) {
        last.times += 1;
        return;
      }
      const again = last === undefined || last.times === 0 ? '' : ` (and ${last.times} times more)`;
      said.set(what, { atMs: nowMs, times: 0 });
      log.warn(`${what}: ${error instanceof Error ? error.message : String(error)}${again}`);
    },
  };
}

/** Where it begins in an instant: on a terminal a line of today needs no date. */
const timeOfDay = '2030-01-31 '.length;

/** As tables have it, where there is no terminal a word of ISO 8601. */
function tickText({ definition: { timezone }, scheduledForMs }: Launch): string {
  return process.stdout.isTTY
    ? formatInstant(scheduledForMs, timezone).slice(timeOfDay)
    : isoInZone(scheduledForMs, timezone);
}

function runLine(launch: Launch, execution: Execution): string {
  const { name } = launch.definition;
  const how =
    execution.result === 'succeeded'
      ? 'succeeded'
      : `${execution.result.replaceAll('_', ' ')}${ending(execution)}`;
  const said = firstLine(Buffer.from(execution.output).toString('utf8'));
  return `${tickText(launch)}  ${name}  ${how}${said === '' ? '' : `  ${said}`}`;
}

/** The first line that is not blank, with an ellipsis where there is more. */
function firstLine(output: string): string {
  const text = output.trim();
  const line = /^.*/.exec(text)?.[0].slice(0, 80) ?? '';
  return line.length < text.length ? `${line.trimEnd()} …` : line;
}

function ending({ exitCode, signal, reason }: Execution): string {
  if (signal !== null) return ` (${signal})`;
  if (exitCode !== null && exitCode !== 0) return ` (exit ${exitCode})`;
  return reason === null ? '' : ` (${reason})`;
}
