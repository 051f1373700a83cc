import type { Cli, CliAnswer } from '../world/runCli.ts';
import type { OperationAnswer, OperationRequest, OperationWay } from './operationRequest.ts';

/** Asks by the command line, which speaks to the database, or to a node with `--url`. */
export function cliWay(via: string, whom: string, cli: Cli): OperationWay {
  return { via, whom, send: async (request) => answerOf(await cli(argumentsOf(request))) };
}

function argumentsOf({ kind, job, launchId, command, cron }: OperationRequest): string[] {
  if (kind === 'stop') return ['run', 'stop', launchId ?? ''];
  const words = [
    ...(command === null ? [] : ['--command', command]),
    ...(cron === null ? [] : ['--cron', cron]),
  ];
  return ['job', kind, job, ...words];
}

/** Faults of the client, and of a node that never heard of it: they say that nothing was done. */
const refusals = new Set([
  ...['job_missing', 'job_exists', 'run_missing', 'run_ended', 'usage'],
  ...['api_away'],
]);

function answerOf({ exitCode, faultCode, data, message }: CliAnswer): OperationAnswer {
  const isRefused = faultCode !== null && refusals.has(faultCode);
  return {
    outcome: exitCode === 0 ? 'ok' : isRefused ? 'fail' : 'info',
    isAnswered: exitCode !== null,
    revision: (data?.revision as number | undefined) ?? null,
    requestId: (data?.requestId as string | undefined) ?? null,
    executing: (data?.executing as number | null | undefined) ?? null,
    message,
  };
}
