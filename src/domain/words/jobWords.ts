import type { JobDefinition } from '../jobDefinition.ts';
import type { JobPolicies, RetryPolicy } from '../jobPolicies.ts';
import type { NoticeEvent } from '../notices/notice.ts';

/** The words that say what a job is; `false`: taken away again by the `--no-` form. */
export interface JobWords {
  readonly cron?: readonly string[];
  readonly command?: string;
  readonly description?: string | false;
  readonly timezone?: string;
  readonly timeout?: number | false;
  readonly env?: readonly string[];
  readonly secretEnv?: readonly string[];
  readonly unsetEnv?: readonly string[];
  readonly cwd?: string | false;
  readonly stdin?: string | false;
  readonly grace?: number;
  readonly outputMax?: number;
  readonly leftovers?: JobDefinition['leftovers'];
  readonly onFence?: 'kill' | 'finish';
  readonly dialect?: 'unix' | 'quartz';
  readonly dstGap?: NonNullable<JobPolicies['gap']> | false;
  readonly dstFold?: NonNullable<JobPolicies['fold']> | false;
  readonly notBefore?: string | false;
  readonly notAfter?: string | false;
  readonly exclude?: readonly string[] | false;
  readonly splay?: number | false;
  readonly overlap?: NonNullable<JobPolicies['overlap']> | 'skip';
  readonly parallel?: number;
  readonly misfire?: NonNullable<JobPolicies['misfire']> | 'once';
  readonly catchUp?: number | false;
  readonly nodeLoss?: 'skip' | 'rerun';
  readonly retries?: number | false;
  readonly retryDelay?: number;
  readonly retryBackoff?: RetryPolicy['backoff'];
  readonly retryDelayMax?: number;
  readonly retryJitter?: boolean;
  readonly retryOn?: RetryPolicy['on'];
  readonly startDeadline?: number | false;
  readonly maxRuns?: number | false;
  readonly pauseAfterFailures?: number | false;
  readonly kind?: 'single' | 'every-node';
  readonly onNode?: readonly string[] | false;
  readonly onLabel?: readonly string[] | false;
  readonly onGroup?: readonly string[] | false;
  readonly notOnNode?: readonly string[] | false;
  readonly notOnLabel?: readonly string[] | false;
  readonly notOnGroup?: readonly string[] | false;
  readonly user?: string | false;
  readonly umask?: string | false;
  readonly nice?: number | false;
  readonly memoryMax?: number | false;
  /** Milliseconds, as every duration. */
  readonly cpuTimeMax?: number | false;
  readonly after?: readonly string[] | false;
  readonly group?: string | false;
  readonly tag?: readonly string[] | false;
  readonly keepDays?: number | false;
  readonly keepRuns?: number | false;
  readonly notifyOn?: readonly NoticeEvent[] | false;
  readonly notifyTo?: readonly string[] | false;
  readonly longRunning?: number | false;
  readonly ping?: readonly string[] | false;
}

/** The words that say whether a job is paused; neither: nothing is said of it. */
export interface PauseWords {
  readonly paused?: boolean;
  readonly pausedUntil?: string;
}
