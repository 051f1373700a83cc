import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PlannedStep, WantedJob } from '../../domain/jobFile/planApply.ts';
import type { Operator } from './operator.ts';

type StepNeeds = 'addJob' | 'editJob' | 'pauseJob' | 'resumeJob' | 'removeJob';

/** Whatever it answers. */
type StepOperator = {
  readonly [Name in StepNeeds]: (...parameters: Parameters<Operator[Name]>) => Promise<unknown>;
};

/** The part of a planned step that is needed to take it. */
export interface StepToDo extends Pick<PlannedStep, 'action' | 'job'> {
  readonly wanted: Pick<WantedJob, 'define' | 'pause'> | null;
}

/**
 * Takes one step of the plan for a file of jobs. A pause comes before the edit, and its end after
 * it, so that nothing of the job starts by either definition where the file says that it rests.
 * @param check may throw, by the definition that an edit finds
 */
export async function doStep(
  operator: StepOperator,
  { action, job, wanted }: StepToDo,
  check: (current: JobDefinition) => void = () => undefined,
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
  await operator.editJob(job, (current) => {
    check(current);
    return define(current);
  });
  if (pause === null) await operator.resumeJob(job);
}
