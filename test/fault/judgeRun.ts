import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenBoard } from './board/openBoard.ts';
import { judgeHistory, type Verdict } from './judgeHistory.ts';
import { keepJudgement, messagesFile } from './keepJudgement.ts';
import type { FaultOptions } from './readFaultOptions.ts';
import type { RunState } from './startProgress.ts';
import { superviseRun } from './superviseRun.ts';

/**
 * Runs nodes under faults, and judges and keeps what was seen.
 * @param signal ends the faults early
 * @param open the board on which they are pressed; null: the seed deals them
 */
export async function judgeRun(
  options: FaultOptions,
  state: RunState,
  signal: AbortSignal,
  open: OpenBoard | null,
): Promise<Verdict> {
  const { folder } = options;
  const seen = await superviseRun(options, state, signal, open?.board);
  const { history, messages, notRun, troubles } = seen;
  await writeFile(path.join(folder, 'history.json'), JSON.stringify(history), { mode: 0o600 });
  await writeFile(path.join(folder, messagesFile), JSON.stringify(messages));
  state.stop();
  const verdict = judgeHistory(history, { folder, notRun, troubles, messages });
  const report = await keepJudgement(folder, history, verdict);
  await open?.showEnd({ verdict, report }, signal);
  return verdict;
}
