import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultOptions } from '../readFaultOptions.ts';
import type { RunState } from '../startProgress.ts';
import { type BoardEnd, FaultBoard } from './faultBoard.ts';
import { serveBoard } from './serveBoard.ts';

export interface OpenBoard {
  readonly board: FaultBoard;
  readonly url: string;
  /** Lights the rules and hands the report to who watches; resolves when it was read. */
  showEnd(end: BoardEnd, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const lookMs = 100;
/** A page that goes from the board to the report is neither for a moment. */
const unwatchedMsMax = 3_000;

/** Opens a board for a run that is about to begin. */
export async function openBoard(
  options: FaultOptions,
  state: RunState,
  port: number,
): Promise<OpenBoard> {
  const board = new FaultBoard(options, state);
  const server = await serveBoard(board, port);
  return {
    board,
    url: server.url,
    close: server.close,
    showEnd: async (end, signal) => {
      board.end = end;
      let watchedMs = performance.now();
      while (!server.isReportRead() && !signal.aborted) {
        if (server.watchers() > 0) watchedMs = performance.now();
        if (performance.now() - watchedMs > unwatchedMsMax) return;
        await sleep(lookMs);
      }
    },
  };
}
