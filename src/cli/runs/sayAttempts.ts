import { nextAttempt } from '../../domain/policies/nextAttempt.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { definitionOf } from '../../http/views/jobView.ts';
import { howEnded } from '../output/exitCodeOf.ts';
import { printNote } from '../output/print.ts';
import type { ProgressLine } from '../output/progressLine.ts';
import { runName, seeRun } from '../output/runName.ts';

/** Of a job that runs often, so many of its last runs are looked through. */
const runsMax = 200;

/** Says of each attempt of a run that was followed by another one how it ended, once. */
export class EndedAttempts {
  readonly #line: ProgressLine;
  #said: number;

  /**
   * @param line erased before something is said
   * @param first the number of the first attempt that was waited for
   */
  constructor(line: ProgressLine, first = 1) {
    this.#line = line;
    this.#said = first - 1;
  }

  /** Says it of those before this one. */
  async say(operator: ApiOperator, run: RunView): Promise<void> {
    const said = this.#said;
    if (run.attempt - 1 <= said) return;
    const { job, nodeName, requestId, scheduledFor } = run;
    const ended: RunView[] = [];
    for await (const each of operator.listRuns({ job, runsMax })) {
      const isSame = each.requestId === requestId && each.scheduledFor === scheduledFor;
      const isNew = each.attempt > said && each.attempt < run.attempt;
      if (isSame && isNew && each.nodeName === nodeName) ended.push(each);
    }
    const definition = definitionOf(await operator.showJob(job));
    this.#line.end();
    for (const each of ended.sort((a, b) => a.attempt - b.attempt)) {
      printNote(`${attemptText(each)}${thenText(definition, each)}; ${seeRun(each)}`);
    }
    this.#said = run.attempt - 1;
  }
}

function attemptText(run: RunView): string {
  const how = howEnded(run).slice(`${run.job}: `.length);
  return `${run.job}: attempt ${run.attempt} ${how}, ${runName(run)}`;
}

/** When the next one comes, as far as the definition says it. */
function thenText(definition: Parameters<typeof nextAttempt>[0], run: RunView): string {
  const { attempt, result } = run;
  const next = result === null ? null : nextAttempt(definition, result, attempt, 0);
  if (next === null) return '';
  if (next.delayMs === 0) return '; the next one starts at once';
  const most = definition.retry?.jitter ? 'at most ' : '';
  return `; the next one starts ${most}${formatDuration(next.delayMs)} later`;
}
