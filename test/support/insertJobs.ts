import type { StoreWorld } from './storeWorld.ts';

/** Rows of so many jobs, a hundred at a time, with nothing else: to be counted. */
export async function insertJobs(
  { rows }: Pick<StoreWorld, 'rows'>,
  hundreds: number,
  targetId = 0,
): Promise<void> {
  await rows(
    `INSERT INTO job (name, revision, created_at, target_id)
     WITH RECURSIVE a (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a WHERE x < ?),
       b (y) AS (SELECT 1 UNION ALL SELECT y + 1 FROM b WHERE y < 100)
     SELECT CONCAT(UUID(), '-', x, '-', y), 1, NOW(3), ? FROM a, b`,
    [hundreds, targetId],
  );
}
