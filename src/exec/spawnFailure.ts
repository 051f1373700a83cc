import { getSystemErrorMap } from 'node:util';
import type { RunRequest } from './runRequest.ts';
import type { ChildPlan, SpawnFailure } from './spawner.ts';

/** The sentence that a run row says when its process never came to be. */
export function describeSpawnFailure(
  failure: SpawnFailure,
  request: RunRequest,
  plan: ChildPlan,
): string {
  const text = `${failure.code}, ${errorText(failure.code)}`;
  if (failure.code === 'E2BIG') return describeTooLong(request, plan, text);
  const user = request.ownership?.user;
  switch (failure.stage) {
    case 'user-unknown':
      return `The user ${user} does not exist here: make the account, or name other nodes.`;
    case 'groups':
      return `The groups of the user ${user} cannot be read with the program id (${text}).`;
    case 'user':
      return `The process cannot become the user ${user} (${text}); nothing was run instead.`;
    case 'nice':
      return `The priority ${request.ownership?.nice} cannot be had (${text}): only root may.`;
    case 'memory':
    case 'cpu':
      return `The limit of ${failure.stage} cannot be set (${text}); see: ulimit -Ha.`;
    case 'cwd':
      if (plan.cwd === '') {
        return `The home folder of the user ${user} cannot be entered (${text}): give it a --cwd.`;
      }
      return `The working directory ${plan.cwd} cannot be entered (${text}).`;
    case 'exec':
      return `bash cannot be started (${text}).`;
    case 'stdin':
      return `The standard input cannot be made (${text}).`;
    case 'spawn':
      return `bash cannot be started in ${plan.cwd} (${text}).`;
    default:
      return `No process can be started: ${failure.stage} failed (${text}).`;
  }
}

/** The name of a positive errno, such as `ENOENT` for 2. */
export function errorCode(errno: number): string {
  return getSystemErrorMap().get(-errno)?.[0] ?? `errno ${errno}`;
}

function errorText(code: string): string {
  for (const [name, text] of getSystemErrorMap().values()) if (name === code) return text;
  return 'unknown error';
}

function describeTooLong(request: RunRequest, plan: ChildPlan, text: string): string {
  const commandBytes = Buffer.byteLength(request.command);
  const environmentBytes = plan.env.reduce((sum, entry) => sum + Buffer.byteLength(entry) + 1, 0);
  return (
    `The command (${commandBytes} bytes) and environment (${environmentBytes} bytes) are more ` +
    `than the kernel takes: about 2 MiB together, 131,071 bytes for one variable (${text}).`
  );
}
