import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';
import { type CliOptions, type CliResult, runCli } from '../runCli.ts';
import { reachByApi } from '../ways.ts';
import {
  commandsByName,
  missingObjects,
  missingValues,
  otherLetters,
  rightLine,
  unknownFlags,
  type WrongCase,
  wrongTypes,
} from './wrongCases.ts';

const golden = new URL('./wrongInputs.txt', import.meta.url);
const commands = [...(await commandsByName())];
const each = (make: (name: string, command: Command) => WrongCase[]): WrongCase[] =>
  commands.flatMap(([name, command]) => make(name, command));

/** Sections of the file: what each case is, and which codes it may end with. */
const texts: string[] = [];

test('a wrong flag or value is named, said how to write, and ends with 2', async () => {
  await section('An unknown flag', each(unknownFlags), { codes: [2] });
  await section('A value that is missing', each(missingValues), { codes: [2] });
  await section('A value of the wrong kind', each(wrongTypes), { codes: [2, 78], mayPass: true });
});

test('a real process says and ends the same as one that is kept', async () => {
  const sample = each(missingValues).filter((_, place) => place % 120 === 7);
  assert.ok(sample.length >= 3);
  for (const { args } of sample) {
    const [kept, real] = await Promise.all([askCli(args), runCli(args)]);
    assert.deepEqual([real.code, real.stderr], [kept.code, kept.stderr], args.join(' '));
  }
});

test('a text that no column of ASCII can hold names nothing, and is no fault', async (t) => {
  const { reach } = await makeCluster(t);
  const cases = each(otherLetters).filter(({ command }) => !making.has(command));
  assert.ok(cases.some(({ command }) => command === 'run log'));
  for (const { args } of cases) {
    const { code, stderr } = await askCli(args, reach);
    const line = `${args.join(' ')} ends with ${code}: ${stderr}`;
    assert.doesNotMatch(stderr, /\n {4}at |should not have happened|collation/, line);
  }
});

test('an object, a database or a right that is missing is named, never with 0', async (t) => {
  const { reach, viewer, nobody } = await makeCluster(t);
  await section('No such object', each(missingObjects), { codes: [1, 2], reach });
  const ofDatabase = each((name, command) => {
    const asks = command.options.some(({ long }) => long === '--database-url') && name !== 'up';
    return asks ? [{ command: name, args: rightLine(name, command), wrong: null }] : [];
  });
  const unset = ofDatabase.filter(({ command }) => command !== 'restore');
  await section('No database', unset, { codes: [78] });
  const looking = unset.filter(({ command }) => ofLooking.has(command));
  await section('A database that does not answer', looking, { codes: [69], reach: away });
  const ofApi = ofDatabase.filter(({ command }) => !onDatabase.has(command));
  await section('A token that may only look', ofApi, {
    ...{ codes: [78, 1], reach: viewer, mayPass: true },
  });
  await section('No token', ofApi, { codes: [78], reach: nobody });
  const written = `${texts.join('\n\n')}\n`;
  if (process.env.STATECRON_WRITE_TEXTS === '1') writeFileSync(golden, written);
  assert.equal(written, readFileSync(golden, 'utf8'), 'write it anew with: npm run texts');
});

/** Where nobody answers: `up` would start a server of its own without one. */
const away = { url: 'mysql://root@127.0.0.1:1/statecron' };
/** A change is tried again for a while; each of these says it at once. */
const ofLooking = new Set(['job list', 'runs', 'cluster', 'token list', 'backup']);
const onDatabase = new Set(['node', 'doctor', 'migrate', 'backup', 'restore']);
/** They go on, or make a file. */
const making = new Set(['node', 'up', 'backup']);

interface Expected {
  readonly codes: readonly number[];
  readonly reach?: CliOptions;
  /** Some of them are no mistake: they are listed. */
  readonly mayPass?: boolean;
}

/** Runs the cases, checks each, and writes what they said, the same texts together. */
async function section(title: string, cases: WrongCase[], expected: Expected): Promise<void> {
  const { reach = {}, mayPass = false } = expected;
  const said = new Map<string, string[]>();
  for (const each of cases) {
    const { code, stderr } = await askCli(each.args, each.command === 'up' ? away : reach);
    const passes = code === 0 || isUnset(stderr);
    if (!(mayPass && passes)) check(each, { code, stderr }, expected.codes);
    const text =
      mayPass && passes ? 'Taken as it is.' : `${plain(each, stderr)}\n(ends with ${code})`;
    said.set(text, [...(said.get(text) ?? []), caseName(each)]);
  }
  const blocks = [...said].map(([text, names]) => `${text}\n${wrapped(names)}`);
  texts.push(`# ${title}: ${cases.length} cases`, ...blocks);
}

/** What is not found out before the database is asked. */
const isUnset = (stderr: string): boolean => /No database is given|127\.0\.0\.1:1/.test(stderr);

function check(
  { args, wrong }: WrongCase,
  { code, stderr }: Pick<CliResult, 'code' | 'stderr'>,
  codes: readonly number[],
): void {
  const line = `statecron ${args.join(' ')}\n${stderr}`;
  assert.ok(codes.includes(code ?? 0), `ends with ${code}: ${line}`);
  assert.match(stderr, /(^|\n)statecron: [^\n]+\nhint: [^\n]+\n$/, line);
  assert.doesNotMatch(stderr, /\n {4}at |should not have happened|undefined|NaN|\[object/, line);
  const [, blamed] = /^statecron: (--[a-z-]+)/.exec(stderr) ?? [];
  if (blamed !== undefined) assert.equal(blamed, wrong, `blames another flag: ${line}`);
}

/** The text with the parts that only this case has named by what they are. */
function plain({ command, wrong }: WrongCase, stderr: string): string {
  let text = stderr.trimEnd().replaceAll(`statecron ${command} --help`, 'statecron COMMAND --help');
  text = text.replace(`statecron: ${command} `, 'statecron: COMMAND ');
  if (wrong?.startsWith('--')) {
    const flag = new RegExp(`(?<![\\w-])${wrong}(?![\\w-])( <[^>]+>)?`, 'g');
    text = text.replace(flag, (_, value) => (value === undefined ? '--FLAG' : '--FLAG <value>'));
  }
  return text.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://NODE');
}

const caseName = ({ command, wrong }: WrongCase): string =>
  wrong === null ? command : `${command} ${wrong}`;

function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const last = lines.at(-1) ?? '';
    if (last.length + name.length > 108) lines.push(`${name}; `);
    else lines[lines.length - 1] = `${last}${name}; `;
  }
  return lines.map((line) => `    ${line.trimEnd().replace(/;$/, '')}`).join('\n');
}

/** A job, a group, a limit, a target and a token, and who may only look at them. */
async function makeCluster(t: TestContext) {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('w1', { ttlMs: 3_600_000 });
  const reach = { url: world.url };
  for (const line of [
    'job add backup --cron @daily --command true --group shop',
    'group add web --node w1',
    'limit set shop 3',
    'notify add ops --mail ops@example.com',
    'token add grafana',
  ]) {
    const { code, stderr } = await askCli(line.split(' '), reach);
    assert.equal(code, 0, stderr);
  }
  const request = { name: 'looks', role: 'viewer', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(world.channel, request);
  const viewer = await reachByApi(t, world, secret ?? '');
  const { STATECRON_TOKEN: _, ...env } = viewer.env ?? {};
  return { reach, viewer, nobody: { env } };
}
