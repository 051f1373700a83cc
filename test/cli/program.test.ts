import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { programArgs } from '../support/program.ts';
import { cliEnvironment } from './runCli.ts';

test('a command is declared alone when the arguments name it in full', async () => {
  const whole = await makeProgram(() => undefined);
  for (const command of whole.commands) {
    const [below] = command.commands;
    const args = [command.name(), ...(below === undefined ? [] : [below.name()])];
    const found = await makeProgram(() => undefined, args);
    const same = found.commands.find((each) => each.name() === command.name());
    assert.equal(same?.helpInformation(), command.helpInformation());
    assert.ok(found.commands.length <= 3, `${args.join(' ')}: ${namesOf(found)}`);
  }
});

test('all commands are declared when any of them may have been meant', async () => {
  const whole = namesOf(await makeProgram(() => undefined));
  for (const args of [[], ['--help'], ['help', 'next'], ['nxt'], ['run', 'backup']]) {
    const found = namesOf(await makeProgram(() => undefined, args));
    assert.deepEqual(found, whole, args.join(' '));
  }
});

test('no command is declared to say the version', async () => {
  for (const flag of ['-V', '--version']) {
    assert.deepEqual(namesOf(await makeProgram(() => undefined, [flag])), [], flag);
  }
});

test('next loads one package, and a second one for a schedule that names days', async () => {
  assert.deepEqual(await loadedBy(['next', '30 3 * * *']), ['commander', ...ofNext]);
  const found = await loadedBy(['next', '0 9 * * MON-FRI']);
  assert.deepEqual(found, ['commander', 'cron-parser', 'luxon', ...ofNext]);
});

test('the help has its commands in groups, and none beside help without one', async () => {
  const program = await makeProgram(() => undefined);
  const headings = program.commands.map((command) => command.helpGroup());
  assert.equal(new Set(headings).size, 5);
  assert.ok(
    headings.every((heading) => heading.endsWith(':')),
    headings.join(),
  );
});

/** The packages, then the folders of the command line, of which a command loads any file. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const tracing = ['--import', `data:text/javascript,${encodeURIComponent(traceLoads)}`];
  const [program, ...rest] = programArgs().reverse();
  const command = [...rest.reverse(), ...tracing, program ?? '', ...args];
  const env = cliEnvironment({});
  const { stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
  const files = stderr.split('\n').flatMap((line) => {
    const url = /^loaded (.*)/.exec(line)?.[1];
    return url === undefined ? [] : [url, ...modulesIn(url)];
  });
  const named = (pattern: RegExp): string[] =>
    [...new Set(files.flatMap((file) => pattern.exec(file)?.[1] ?? []))].sort();
  const packages = named(/node_modules\/([^/]+)/).filter((name) => !ofSources.has(name));
  return [...packages, ...named(/\/(src\/cli\/\w+)\//)];
}

/** A bundled file names each module that is in it. */
function modulesIn(url: string): string[] {
  if (!/^file:.*\/dist\/(src|chunks)\//.test(url)) return [];
  const text = readFileSync(new URL(url), 'utf8');
  return [...text.matchAll(/^\/\/ (src\/.*\.ts)$/gm)].map(([, name]) => `/${name}`);
}

/** What runs the sources where the program is not built. */
const ofSources = new Set(['tsx', 'esbuild', 'get-tsconfig', 'resolve-pkg-maps']);
const ofNext = ['connect', 'options', 'output', 'schedule'].map((folder) => `src/cli/${folder}`);

/** Runs in the process: prints each file that is imported or required. */
const traceLoads = `
import { writeSync } from 'node:fs';
import { createRequire, register } from 'node:module';
const hook = \`import { writeSync } from 'node:fs';
export function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\\\n');
  return next(url, context);
}\`;
register('data:text/javascript,' + encodeURIComponent(hook));
process.on('exit', () => {
  const { cache } = createRequire(process.argv[1]);
  for (const file of Object.keys(cache)) writeSync(2, 'loaded ' + file + '\\n');
});`;

function namesOf(program: Command): string[] {
  return program.commands.map((command) => command.name());
}
