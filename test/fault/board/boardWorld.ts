import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { patienceMs } from '../../browser/launchBrowser.ts';
import { useBrowser } from '../../browser/useBrowser.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { until } from '../../support/until.ts';
import type { FaultEngineName } from '../engines/faultEngine.ts';
import type { FaultTable } from '../faultTable.ts';
import type { Verdict } from '../judgeHistory.ts';
import { judgeRun } from '../judgeRun.ts';
import { type FaultOptions, readFaultOptions } from '../readFaultOptions.ts';
import { type RunState, startProgress } from '../startProgress.ts';
import { openBoard } from './openBoard.ts';

/** A run whose faults are pressed, and a browser that looks at its board. */
export interface BoardWorld {
  readonly page: Page;
  /** What no page may have: errors, and requests to elsewhere. */
  readonly pageTroubles: string[];
  readonly state: RunState;
  readonly table: FaultTable;
  /** Of the run. */
  readonly folder: string;
  /** Of the run, once it was ended on the board. */
  readonly verdict: Promise<Verdict>;
}

/** Starts a run and opens its board; resolves when all nodes are live. */
export async function makeBoardWorld(
  scope: Scope,
  engine: FaultEngineName,
  sessionTtl: string,
): Promise<BoardWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-board-'));
  const flags = ['--engine', engine, '--session-ttl', sessionTtl, '--out', folder];
  const options = optionsOf(flags);
  const state = startProgress(process.stderr);
  const stopping = new AbortController();
  const open = await openBoard(options, state, 0);
  const verdict = judgeRun(options, state, stopping.signal, open);
  scope.after(async () => {
    stopping.abort();
    await verdict.catch(() => undefined); // the test has it, too
    state.stop();
    await open.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { page, troubles } = await openPage(scope, open.url);
  const failure = verdict.then(
    () => null,
    (error: Error) => error,
  );
  const table = await until('the cluster is live', async () => {
    const failed = await Promise.race([failure, Promise.resolve(null)]);
    if (failed !== null) throw failed;
    return open.board.run?.table;
  });
  return { page, pageTroubles: troubles, state, table, folder, verdict };
}

function optionsOf(flags: readonly string[]): FaultOptions {
  const command = readFaultOptions(['--board', ...flags]);
  if (command.command !== 'run') throw new Error('it is no run');
  return command.options;
}

async function openPage(scope: Scope, url: string): Promise<{ page: Page; troubles: string[] }> {
  const browser = await useBrowser();
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  scope.after(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin)) troubles.push(request.url());
  });
  await page.goto(url);
  return { page, troubles };
}
