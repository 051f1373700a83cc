import type { z } from '@hono/zod-openapi';
import type { RunShown } from '../../store/runs/runRow.ts';
import type { runSchema } from '../schemas/runSchemas.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** A run as whoever asks is told of it. */
export type RunView = z.infer<typeof runSchema>;

/** A run as the API and `--json` show it. */
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
    scheduledUntil: isoOrNull(run.scheduledUntilMs),
    ticks: run.ticks,
    reason: run.reason,
    isFinal: run.result !== null && run.isFinal,
    requestId: run.requestId,
    revision: run.revision,
  };
}
