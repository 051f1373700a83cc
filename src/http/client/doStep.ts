import type { StepToDo } from '../../domain/jobFile/planApply.ts';
import type { Operator } from '../../store/operator/operator.ts';

type StepNeeds = 'addJob' | 'editJob' | 'pauseJob' | 'resumeJob' | 'removeJob';

/** Whatever it answers. */
type StepOperator = {
  readonly [Name in StepNeeds]: (...parameters: Parameters<Operator[Name]>) => Promise<unknown>;
};

/**
 * Takes one step of the plan for a file of jobs. A pause comes before the edit, and its end after
 * it, so that nothing of the job starts by either definition where the file says that it rests.
 */
export async function doStep(
  operator: StepOperator,
  { action, job, wanted }: StepToDo,
): Promise<void> {
  if (action === 'unchanged') return;
  if (wanted === null) {
    await operator.removeJob(job);
    return;
  }
  const { define, pause } = wanted;
  if (action === 'add') {
    await operator.addJob(define(null), pause ?? null);
    return;
  }
  if (pause)
    await operator.pauseJob(job, pause.untilMs === null ? null : { untilMs: pause.untilMs });
  await operator.editJob(job, define);
  if (pause === null) await operator.resumeJob(job);
}
