import type { RunLife } from '../../domain/life/runLife.ts';
import { outputCommandOfRun, outputFileOfRun } from '../../domain/run/wholeOutput.ts';
import type { RunShown } from '../../store/runs/runRow.ts';
import type { RunFound } from '../../store/runs/showRun.ts';
import type { Answer } from '../contract/apiContract.ts';
import type { RunView } from '../contract/runContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A run as the API and `--json` show it. By a rest of the row a page costs three times as much. */
export function runView(run: RunShown): RunView {
  return {
    job: run.job,
    group: run.group,
    runId: run.runId,
    nodeName: run.nodeName,
    slotNo: run.slotNo,
    launchId: run.launchId,
    trigger: run.trigger,
    attempt: run.attempt,
    scheduledFor: isoOf(run.scheduledForMs),
    startedAt: isoOrNull(run.startedMs),
    endedAt: isoOrNull(run.endedMs),
    result: run.result,
    exitCode: run.exitCode,
    signal: run.signal,
    node: run.node,
    outputBytes: run.outputBytes,
    outputFile: outputFileOfRun(run),
    outputCommand: outputCommandOfRun(run),
    scheduledUntil: isoOrNull(run.scheduledUntilMs),
    ticks: run.ticks,
    reason: run.reason,
    isFinal: run.result !== null && run.isFinal,
    requestId: run.requestId,
    revision: run.revision,
  };
}

/** A run that was looked up. */
export function foundRunView({ life, variables, ...run }: RunFound): RunView {
  const shown = { ...runView(run), life: lifeView(life) };
  return { ...shown, ...(variables.length > 0 && { variables }) };
}

function lifeView({ atMs, marks, messages, phases }: RunLife): RunView['life'] {
  return {
    at: isoOrNull(atMs),
    phases: phases.map(({ beginMs, endMs, name, states, text }) => ({
      ...{ name, states: [...states], begin: isoOrNull(beginMs), end: isoOrNull(endMs), text },
    })),
    marks: marks.map(({ atMs, kind, text }) => ({ kind, at: isoOf(atMs), text })),
    messages: messages?.map(({ atMs, ...message }) => ({ at: isoOf(atMs), ...message })) ?? null,
  };
}

/** What a run wrote, as far as it is kept. */
export function logView(
  { launchId, outputBytes }: Pick<RunView, 'launchId' | 'outputBytes'>,
  output: Uint8Array | null,
): Answer<'GET /runs/{run}/log'> {
  const bytes = Buffer.from(output ?? []);
  const texts = { text: bytes.toString('utf8'), base64: bytes.toString('base64') };
  return { launchId, outputBytes, keptBytes: bytes.length, ...texts };
}
