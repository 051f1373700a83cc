import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../../src/domain/errors/errors.ts';
import type { History } from '../checkers/history.ts';
import type { RunMessages } from '../checkers/report/runMessages.ts';
import { NotHereError } from '../support/fetchMysql.ts';
import { refuseFlags } from '../support/readFlags.ts';
import { markCluster } from './attach/clusterMark.ts';
import { releaseCluster } from './attach/makeAttachedWorld.ts';
import { openBoard } from './board/openBoard.ts';
import { faultKinds } from './faults/faultKinds.ts';
import { judgeHistory, type Verdict } from './judgeHistory.ts';
import { judgeRun } from './judgeRun.ts';
import { keepJudgement, messagesFile } from './keepJudgement.ts';
import { type FaultCommand, faultUsage, readFaultOptions } from './readFaultOptions.ts';
import { startProgress } from './startProgress.ts';

/** `npm run fault`: real nodes under real faults, and a verdict; see faultUsage. */
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const command = readCommand(args);
  try {
    if (command.command === 'help') return say(faultUsage, 0);
    if (command.command === 'list') {
      for (const { kind } of faultKinds()) process.stdout.write(`${kind}\n`);
      return 0;
    }
    if (command.command === 'mark') {
      await markCluster(command.url, command.database);
      return say(`${command.database} is marked as one to break: npm run fault -- --attach`, 0);
    }
    if (command.command === 'unmark') {
      await releaseCluster(command.url);
      return say('It is no longer marked as one to break.', 0);
    }
    const verdict = command.command === 'run' ? await run(command) : await replay(command.folder);
    process.stderr.write(verdict.text);
    if (command.json) process.stdout.write(`${JSON.stringify(verdict.figures)}\n`);
    return verdict.isClean ? 0 : 1;
  } catch (error) {
    if (error instanceof NotHereError) return say(`not run: ${error.message}`, 2);
    if (error instanceof OperatorError) {
      return say(`${error.message} ${error.hint}`, error.exitCode);
    }
    return say(error instanceof Error ? (error.stack ?? error.message) : String(error), 2);
  }
}

function readCommand(args: readonly string[]): FaultCommand {
  try {
    return readFaultOptions(args);
  } catch (error) {
    return refuseFlags((error as Error).message, faultUsage);
  }
}

type RunCommand = Extract<FaultCommand, { command: 'run' }>;

async function run({ boardPort, options }: RunCommand): Promise<Verdict> {
  if (existsSync(options.folder) && readdirSync(options.folder).length > 0) {
    refuseFlags(`--out: ${options.folder} is not empty`, faultUsage);
  }
  const stopping = new AbortController();
  const state = startProgress(process.stderr);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) return;
      state.say(`${name}: healing; what there is by then is judged`);
      stopping.abort();
    });
  }
  const { attach, seed, engine, nodes, minutes, folder } = options;
  const what = attach === undefined ? `${engine}, ${nodes} nodes` : 'a cluster that is there';
  state.say(`seed ${seed}, ${what}, ${minutes} min; ${folder}`);
  const open = boardPort === null ? null : await openBoard(options, state, boardPort);
  if (open !== null) state.say(`the board: ${open.url}`);
  try {
    return await judgeRun(options, state, stopping.signal, open);
  } finally {
    state.stop();
    await open?.close();
  }
}

async function replay(folder: string): Promise<Verdict> {
  const file = path.join(folder, 'history.json');
  if (!existsSync(file)) refuseFlags(`--replay: there is no ${file}`, faultUsage);
  const text = readFileSync(file, 'utf8');
  const history = JSON.parse(text) as History;
  const told = path.join(folder, messagesFile);
  // A folder of an earlier version has none.
  const messages = existsSync(told) && (JSON.parse(readFileSync(told, 'utf8')) as RunMessages);
  const context = { folder, notRun: [], troubles: [], ...(messages && { messages }) };
  const verdict = judgeHistory(history, context);
  await keepJudgement(folder, history, verdict);
  return verdict;
}

function say(text: string, exitCode: number): number {
  process.stderr.write(`${text}\n`);
  return exitCode;
}
