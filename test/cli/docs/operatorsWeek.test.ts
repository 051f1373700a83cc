import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsOf, simpleCommands } from '../../docs/printed/simpleCommands.ts';
import { docPage } from '../../support/docPages.ts';
import { answerYes, noTerminal } from '../onTerminal.ts';
import { type CliResult, runCli } from '../runCli.ts';
import { type WeekRow, weekRows } from './weekRows.ts';
import { makeWeekWorld, type WeekWorld } from './weekWorld.ts';

test('each command of an operator’s week does what its row says', async (t) => {
  const printed = commandsOfTables(docPage('operations'));
  const commands = weekRows.map(({ command }) => command);
  assert.deepEqual(commands, printed, 'weekRows.ts has each row of docs/operations.md');
  const week = await makeWeekWorld(t);
  const faults: string[] = [];
  for (const row of weekRows) {
    await row.before?.(week);
    const { code, stderr, stdout } = await give(week, row);
    if (code === 0 && row.shows.test(stdout || stderr)) continue;
    faults.push(`${row.command} ends with ${code}: ${stdout}${stderr}`);
  }
  assert.deepEqual(faults, []);
});

/** The second cell of each row of the tables that have commands there, in the order of the page. */
function commandsOfTables(page: string): string[] {
  const tables = page.matchAll(/^\| .* \| command \|\n\| --- \| --- \|\n((?:\| .*\n)+)/gm);
  const rows = [...tables].flatMap(([, table = '']) => table.trimEnd().split('\n'));
  return rows.map((row) => row.replace(/^\| .* \| `?|`? \|$/g, ''));
}

function give(week: WeekWorld, { asks, command, meanwhile }: WeekRow): Promise<CliResult> {
  const [words = []] = simpleCommands(command.replace('NUMBER', `${week.number}`));
  const args = argumentsOf('statecron', words) ?? [];
  if (asks) return noTerminal ? week.ask([...args, '--yes']) : answerYes(args, week.url);
  if (meanwhile === undefined) return week.ask(args);
  return runCli(args, { url: week.url, onOutput: () => meanwhile(week) });
}
