import type { Launch } from '../../domain/run/launch.ts';
import { ownershipOf } from './runOwnership.ts';
import type { RunCare, RunRequest } from './runRequest.ts';

/** What a worker needs to run a launch on the node of the given name. */
export function requestOfLaunch(launch: Launch, nodeName: string, care: RunCare): RunRequest {
  const { definition, launchId, attempt, scheduledForMs } = launch;
  const {
    command,
    env,
    secretEnv = {},
    cwd,
    stdin,
    timeoutMs,
    graceMs,
    outputBytesMax,
    leftovers,
  } = definition;
  return {
    launchId,
    jobName: definition.name,
    nodeName,
    scheduledForMs,
    attempt,
    command,
    env: { ...env, ...secretEnv },
    secretNames: Object.keys(secretEnv),
    cwd,
    stdin,
    timeoutMs,
    graceMs,
    outputBytesMax,
    leftovers,
    ownership: ownershipOf(definition),
    care: definition.onFence === 'finish' ? care : null,
  };
}
