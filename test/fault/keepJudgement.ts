import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawTimeline } from '../checkers/drawTimeline.ts';
import type { History } from '../checkers/history.ts';
import type { Verdict } from './judgeHistory.ts';

/**
 * Writes the verdict and the timeline beside the history.
 * @returns the file of the timeline
 */
export async function keepJudgement(
  folder: string,
  history: History,
  verdict: Verdict,
): Promise<string> {
  await writeFile(path.join(folder, 'verdict.txt'), verdict.text);
  const timeline = path.join(folder, 'timeline.html');
  await writeFile(timeline, drawTimeline(history, verdict.violations));
  return timeline;
}
