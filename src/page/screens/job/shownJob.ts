import type { Answer } from '../../api/callApi.ts';

export type ShownJob = Answer<'GET /jobs/{job}'>;

/** No schedule starts it. */
export function isManual({ fields }: Pick<ShownJob, 'fields'>): boolean {
  const { cron = [] } = fields as { readonly cron?: readonly string[] };
  return cron.length === 1 && cron[0] === '@manual';
}
