import type { Answer } from '../../api/callApi.ts';

export type ShownRun = Answer<'GET /runs/{run}'>;
