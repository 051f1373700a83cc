import { type JobDefinition, leftoverPolicies } from './jobDefinition.ts';
import { policyFields } from './jobPolicies.ts';
import { checkNotify } from './notices/checkNotify.ts';
import { checkExecution } from './policies/checkExecution.ts';
import { checkPolicies } from './policies/checkPolicies.ts';
import { readScheduleSet } from './schedule/readScheduleSet.ts';
import { checkTarget } from './targeting/checkTarget.ts';

/**
 * The newest form of a definition that this version understands. 1: the fields of the first
 * release. 2: `onFence`. 3: `JobPolicies`. 4: `notify`, which older nodes would not do. 5:
 * `description`, and more in parallel than they take. A field, a value or a schedule that older
 * versions would misread comes with a higher number, and theirs is then a job that they leave to
 * others.
 */
export const definitionFormat = 5;

/**
 * The definition with the lowest format that can express it, so that older versions go on running
 * every job that they can run rightly. What this version does not know keeps its number.
 */
export function withLowestFormat(definition: JobDefinition): JobDefinition {
  const { format: current = 1, ...rest } = definition;
  const needed = formatOf(definition);
  const isForeign = current > definitionFormat || unknownFields(definition).length > 0;
  const format = isForeign ? Math.max(current, needed) : needed;
  return format === 1 ? rest : { ...rest, format };
}

function formatOf(definition: JobDefinition): number {
  const { description, notify, secretEnv, onFence, ...rest } = definition;
  const { kind, parallel = 1 } = definition;
  const isWider = parallel > (kind === 'every-node' ? 1 : 100);
  if (description !== undefined || isWider) return 5;
  if (notify !== undefined || secretEnv !== undefined) return 4;
  if (Object.keys(rest).some((field) => field in policyFields)) return 3;
  return onFence === undefined ? 1 : 2;
}

/**
 * Why this version must not run the job, or null: what it would make of it may be wrong. Such a job
 * is left for nodes of a version that understands it.
 */
export function whyNotUnderstood(definition: JobDefinition): string | null {
  const { format = 1, leftovers, onFence } = definition;
  if (format > definitionFormat) {
    return `its definition has the format ${format}, this version knows ${definitionFormat}`;
  }
  const unknown = unknownFields(definition);
  if (unknown.length > 0) return `this version does not know its ${unknown.join(', ')}`;
  if (!leftoverPolicies.includes(leftovers)) return `its leftovers are ${String(leftovers)}`;
  if (onFence !== undefined && onFence !== 'finish') return `its onFence is ${String(onFence)}`;
  const [fault] = checkTarget(definition);
  if (fault !== undefined) return `its ${fault.field}: ${fault.message}`;
  const [policy] = checkPolicies(definition);
  if (policy !== undefined) return `its ${policy.field} ${policy.message}`;
  const [execution] = checkExecution(definition);
  if (execution !== undefined) return `its ${execution.field} ${execution.message}`;
  const [notify] = checkNotify(definition);
  if (notify !== undefined) return `its ${notify.field} ${notify.message}`;
  const set = readScheduleSet(definition);
  return 'error' in set ? `its ${set.field} cannot be read: ${set.error}` : null;
}

/** Fields of a definition that this version does not know. */
export function unknownFields(definition: JobDefinition): string[] {
  return Object.keys(definition).filter((field) => !(field in knownFields));
}

const knownFields: Record<keyof JobDefinition, true> = {
  ...policyFields,
  name: true,
  schedule: true,
  timezone: true,
  command: true,
  description: true,
  env: true,
  secretEnv: true,
  cwd: true,
  stdin: true,
  timeoutMs: true,
  graceMs: true,
  outputBytesMax: true,
  leftovers: true,
  onFence: true,
  format: true,
  origin: true,
};
