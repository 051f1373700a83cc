import { getSystemErrorMap } from 'node:util';
import { type Reason, reasons } from '../../domain/reasons/reasons.ts';
import type { RunRequest } from '../request/runRequest.ts';
import type { ChildPlan, SpawnFailure } from './spawner.ts';

const noGroups = 'it ended without telling them';

/** The reason in the row of a run whose process was never started. */
export function describeSpawnFailure(
  failure: SpawnFailure,
  request: RunRequest,
  plan: ChildPlan,
): Reason {
  const why = describeCode(failure.code);
  if (failure.code === 'E2BIG') return tooLong(request, plan, why);
  const user = request.ownership?.user ?? '';
  switch (failure.stage) {
    case 'user-unknown':
      return reasons.userUnknown(user);
    case 'groups':
      // It has no errno when `id` itself printed nothing.
      return reasons.groupsUnread(user, failure.code === errorCode(0) ? noGroups : why);
    case 'user':
      return reasons.notBecome(user, why);
    case 'nice':
      return reasons.priority(request.ownership?.nice ?? 0, why);
    case 'memory':
    case 'cpu':
      return reasons.limit(failure.stage, why);
    case 'cwd':
      return reasons.folder(plan.cwd || '/', why);
    case 'exec':
      return reasons.bash(why);
    case 'stdin':
      return reasons.input(why);
    case 'spawn':
      return reasons.bashIn(plan.cwd, why);
    default:
      return reasons.noProcess(failure.stage, why);
  }
}

/** The name of a positive errno, such as `ENOENT` for 2. */
export function errorCode(errno: number): string {
  return getSystemErrorMap().get(-errno)?.[0] ?? `errno ${errno}`;
}

/** For people: the name with the system's words for it. */
export function describeCode(code: string): string {
  return `${code}, ${errorText(code)}`;
}

function errorText(code: string): string {
  for (const [name, text] of getSystemErrorMap().values()) if (name === code) return text;
  return 'unknown error';
}

function tooLong(request: RunRequest, plan: ChildPlan, why: string): Reason {
  const commandBytes = Buffer.byteLength(request.command);
  const environmentBytes = plan.env.reduce((sum, entry) => sum + Buffer.byteLength(entry) + 1, 0);
  return reasons.tooLong(commandBytes, environmentBytes, why);
}
