import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawReport } from '../checkers/drawReport.ts';
import type { History } from '../checkers/history.ts';
import type { Verdict } from './judgeHistory.ts';

/** What nodes reported of launches; see RunMessages. */
export const messagesFile = 'messages.json';

/**
 * Writes the verdict and the report beside the history.
 * @returns the file of the report
 */
export async function keepJudgement(
  folder: string,
  history: History,
  verdict: Verdict,
): Promise<string> {
  await writeFile(path.join(folder, 'verdict.txt'), verdict.text);
  const report = path.join(folder, 'report.html');
  await writeFile(report, drawReport(history, verdict.violations, verdict.context));
  return report;
}
