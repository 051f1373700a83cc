import { fieldsPatchSchema, fieldsSchema, newJobSchema } from '../schemas/fieldsSchema.ts';
import {
  addedJobSchema,
  changedJobSchema,
  jobListQuery,
  jobPageSchema,
  jobQuery,
  shownJobSchema,
} from '../schemas/jobSchemas.ts';
import { ifMatchHeader } from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

export const jobContract = {
  'GET /jobs': {
    ...{ id: 'listJobs', role: 'viewer', tag: 'jobs' },
    summary: 'List jobs',
    description:
      'A page of the jobs, by name unless another `sort` is given. A page may be short, or ' +
      'even empty, before the last: go on with `after` while `next` is not null.',
    ...{ query: jobListQuery, answers: 'A page of the jobs.', answer: jobPageSchema },
  },
  'POST /jobs': {
    ...{ id: 'addJob', role: 'operator', tag: 'jobs' },
    summary: 'Add a job',
    ...{ body: newJobSchema, status: 201, answers: 'The new job.', answer: addedJobSchema },
  },
  'GET /jobs/{job}': {
    ...{ id: 'readJob', role: 'viewer', tag: 'jobs' },
    summary: 'Read a job',
    description: 'Its ETag names the revision: send it as If-Match with a change.',
    ...{ query: jobQuery, answers: 'The job.', answer: shownJobSchema },
  },
  'PUT /jobs/{job}': {
    ...{ id: 'replaceJob', role: 'operator', tag: 'jobs' },
    summary: 'Replace the definition of a job',
    description: 'The fields are the whole definition: one that is left out gets its default.',
    ...{ headers: ifMatchHeader, body: fieldsSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'PATCH /jobs/{job}': {
    ...{ id: 'patchJob', role: 'operator', tag: 'jobs' },
    summary: 'Change some fields of a job',
    ...{ headers: ifMatchHeader, body: fieldsPatchSchema },
    ...{ answers: 'The changed job.', answer: changedJobSchema },
  },
  'DELETE /jobs/{job}': {
    ...{ id: 'removeJob', role: 'operator', tag: 'jobs' },
    summary: 'Remove a job',
    description: 'Its history stays. If-Match may be left out.',
    ...{ headers: ifMatchHeader, answers: 'It is removed.', answer: changedJobSchema },
  },
} as const satisfies Contract;
