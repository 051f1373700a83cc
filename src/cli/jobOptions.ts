import { type Command, Option } from 'commander';
import { fencePolicies, leftoverPolicies } from '../domain/jobDefinition.ts';
import type { DatabaseOptions } from './databaseOptions.ts';
import { collect, readBytes, readDurationMs } from './readOptions.ts';

/** The flags that say what a job is; `false`: taken away again by its `--no-` form. */
export interface JobOptions extends DatabaseOptions {
  readonly cron?: string;
  readonly command?: string;
  readonly timezone?: string;
  readonly timeout?: number | false;
  readonly env?: readonly string[];
  readonly unsetEnv?: readonly string[];
  readonly cwd?: string | false;
  readonly stdin?: string | false;
  readonly grace?: number;
  readonly outputMax?: number;
  readonly leftovers?: (typeof leftoverPolicies)[number];
  readonly onFence?: (typeof fencePolicies)[number];
  readonly json?: boolean;
}

/** Adds the flags that `job add` and `job edit` share. */
export function addJobOptions(command: Command): Command {
  return command
    .option('--cron <expr>', 'schedule: 5, 6 or 7 fields, @daily …, @every 90s, @at ISO, @manual')
    .option('--command <text>', 'what bash -c is given')
    .option('--timezone <zone>', 'IANA zone that the schedule is computed in (UTC)')
    .option('--timeout <duration>', 'stop a run after this long, e.g. 30s (never)', readDurationMs)
    .option('--env <K=V>', 'a variable for the job; may be repeated', collect)
    .option('--cwd <folder>', "working folder (the home of the node's user)")
    .option('--stdin <text>', 'text for its standard input (closed)')
    .option('--grace <duration>', 'between SIGTERM and SIGKILL (5s)', readDurationMs)
    .option('--output-max <size>', 'how much output is kept, head and tail (64KiB)', readBytes)
    .addOption(
      new Option('--leftovers <policy>', 'processes that bash leaves running (kill)').choices(
        leftoverPolicies,
      ),
    )
    .addOption(
      new Option('--on-fence <policy>', 'what becomes of a run whose node is lost (kill)').choices(
        fencePolicies,
      ),
    );
}
