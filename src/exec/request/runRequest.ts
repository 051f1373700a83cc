import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { OutputFilePlan } from '../../domain/run/wholeOutput.ts';
import { ownershipOf, type RunOwnership } from './runOwnership.ts';

type EndFields = 'timeoutMs' | 'graceMs' | 'outputBytesMax' | 'leftovers';

/** What a worker needs to run one launch: plain data, so that it crosses a thread boundary. */
export interface RunRequest extends Pick<JobDefinition, 'command' | 'cwd' | 'stdin' | EndFields> {
  launchId: string;
  jobName: string;
  nodeName: string;
  /** The tick, epoch milliseconds by the database's clock. */
  scheduledForMs: number;
  attempt: number;
  /** The job's own variables; they win over the node's allow-listed ones. */
  env: Record<string, string>;
  /** Those of them whose values are masked in the output; absent: none. */
  secretNames?: readonly string[];
  /** Null: all is as the node has it. */
  ownership: RunOwnership | null;
  /** Not null: it is left to finish when the node is fenced, and its result is spooled. */
  care: RunCare | null;
  /** Gets the whole output; absent: nothing does. */
  outputFile?: OutputFilePlan;
  /** Each line of the output goes to journald as well; absent: none does. */
  isJournaled?: boolean;
}

/** What the caretaker of a job needs that is to outlive its node. */
interface RunCare {
  /** Null: the result goes with the node. */
  spoolFolder: string | null;
  /** The database's clock minus the boot clock, milliseconds; null: not known. */
  clockOffsetMs: number | null;
}

/** What a worker needs to run a launch on the node of the given name. */
export function requestOfLaunch(launch: Launch, nodeName: string, care: RunCare): RunRequest {
  const { definition, launchId, attempt, scheduledForMs } = launch;
  const { secretEnv = {} } = definition;
  return {
    launchId,
    jobName: definition.name,
    nodeName,
    scheduledForMs,
    attempt,
    command: definition.command,
    env: { ...definition.env, ...secretEnv },
    secretNames: Object.keys(secretEnv),
    cwd: definition.cwd,
    stdin: definition.stdin,
    timeoutMs: definition.timeoutMs,
    graceMs: definition.graceMs,
    outputBytesMax: definition.outputBytesMax,
    leftovers: definition.leftovers,
    ownership: ownershipOf(definition),
    care: definition.onFence === 'finish' ? care : null,
  };
}
