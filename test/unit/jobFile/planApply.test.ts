import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { planApply } from '../../../src/domain/jobFile/planApply.ts';

test('removals stand in the order of the jobs, but that followers go first', () => {
  const jobOf = (name: string, upstream?: string) => {
    const after = upstream === undefined ? {} : { after: [{ job: upstream, on: 'success' }] };
    return { definition: { ...jobDefaults, name, command: 'true', ...after }, pause: null };
  };
  const present = [jobOf('a'), jobOf('b'), jobOf('c'), jobOf('d', 'b'), jobOf('e')];
  const jobs = new Map(present.map((job) => [job.definition.name, job]));
  const { steps } = planApply([], { jobs: jobs as never, removable: [...jobs.keys()] });
  assert.deepEqual(
    steps.map(({ action, job }) => `${action} ${job}`),
    ['remove a', 'remove c', 'remove d', 'remove b', 'remove e'],
  );
});
