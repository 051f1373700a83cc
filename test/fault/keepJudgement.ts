import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawTimeline } from '../checkers/drawTimeline.ts';
import type { History } from '../checkers/history.ts';
import type { Verdict } from './judgeHistory.ts';

/** Writes the verdict and the timeline beside the history. */
export async function keepJudgement(
  folder: string,
  history: History,
  verdict: Verdict,
): Promise<void> {
  await writeFile(path.join(folder, 'verdict.txt'), verdict.text);
  await writeFile(path.join(folder, 'timeline.html'), drawTimeline(history, verdict.violations));
}
