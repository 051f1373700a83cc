import type { BenchDatabase } from './benchServer.ts';
import { pollUntil } from './pollUntil.ts';

/**
 * Makes every slot due and waits until the last of them is idle again. Resolves to how long that
 * took, in milliseconds.
 */
export async function turnSlots(
  database: BenchDatabase,
  jobs: number,
  complaints: string[],
): Promise<number> {
  await database.query('DELETE FROM run');
  await database.query('UPDATE slot SET next_run_at = NOW(3), cursor_at = NOW(3)');
  const updatedMs = performance.now();
  const done = async (): Promise<boolean> => {
    const [row] = await database.query('SELECT COUNT(*) AS runs FROM run');
    return row?.runs >= jobs;
  };
  await pollUntil('all slots idle again', 300_000, done, 50);
  const endedMs = performance.now();
  const [runs] = await database.query('SELECT COUNT(DISTINCT job_id) AS jobs FROM run');
  if (runs?.jobs !== jobs) complaints.push(`${runs?.jobs} of ${jobs} slots went round`);
  const [idle] = await database.query("SELECT COUNT(*) AS slots FROM slot WHERE state <> 'idle'");
  if (idle?.slots !== 0) complaints.push(`${idle?.slots} slots are not idle`);
  return endedMs - updatedMs;
}
