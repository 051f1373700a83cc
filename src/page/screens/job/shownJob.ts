import type { Answer } from '../../api/callApi.ts';

export type ShownJob = Answer<'GET /jobs/{job}'>;
