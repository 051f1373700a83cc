import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { jobFields } from '../../src/domain/job/fields.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { askCli } from './askCli.ts';
import { commandScript, type ScriptCommand } from './commandScript.ts';
import { otherEnds } from './otherEnds.ts';
import type { CliResult } from './runCli.ts';
import { makeTestToken, reachByApi, type Way } from './ways.ts';

const commands = commandScript.filter((step): step is ScriptCommand => typeof step !== 'function');

test('a command says, does and ends the same whether it asks the database or a node', async (t) => {
  const [database, api] = await Promise.all([runAll(t, 'database'), runAll(t, 'api')]);
  const different = commands.flatMap(({ args }, index) => {
    const [byDatabase, byApi] = [database.results[index], api.results[index]];
    return isDeepStrictEqual(byDatabase, byApi) ? [] : [{ args, byDatabase, byApi }];
  });
  assert.equal(different.length, 0, inspect(different, { depth: 6, maxArrayLength: null }));
  const ends = commands.flatMap(({ args }, index) => {
    const { code } = database.results[index] ?? {};
    return code === 0 ? [] : [`${code}: ${args.join(' ')}`];
  });
  assert.deepEqual(ends, otherEnds, 'these alone end with another code than 0');
  assert.deepEqual(api.audit, database.audit);
  assert.ok(api.audit.length > 40, 'changes are among them');
});

test('every command that asks a cluster is tried both ways with all of its flags', async () => {
  const untried = (await programCommands('visible')).flatMap((command) => {
    const name = nameOf(command);
    const tried = commands.filter(({ args }) => isOf(command, args));
    if (tried.length === 0) return [name];
    // That each field of a job can be given, and taken back, is tried where the fields are.
    const hasWords = name === 'job add' || name === 'job edit';
    const flags = command.options.flatMap(({ long }) => long ?? []);
    return flags
      .filter((flag) => !connecting.has(flag) && !(hasWords && wordFlags.has(flag)))
      .filter((flag) => !tried.some(({ args }) => args.includes(flag)))
      .map((flag) => `${name} ${flag}`);
  });
  assert.deepEqual(untried, []);
});

test('a command that asks no cluster is known to be one, or refuses --url', async () => {
  const others = (await programCommands('none')).filter(({ commands }) => commands.length === 0);
  const names = others.map(nameOf).sort();
  assert.deepEqual(names, ['docs', 'machines list', 'machines show', 'next', 'print']);
  const refusing = await programCommands('hidden');
  assert.ok(refusing.length >= 6);
  for (const command of refusing) {
    const name = nameOf(command);
    const { code, stderr } = await askCli([name, '--url', 'http://127.0.0.1:1']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`^statecron: --url: ${name} cannot be sent to a node: `));
  }
});

/** How a command gets to its cluster, or to a database when it has to. */
const connecting: ReadonlySet<string> = new Set([
  ...['--url', '--token-file', '--tls-ca'],
  ...['--database-url', '--database-url-file', '--database-password-file'],
]);
const wordFlags = new Set(jobFields.flatMap(({ flag }) => [`--${flag}`, `--no-${flag}`]));

/** The commands whose `--url` is for everybody to see, hidden since it is refused, or not there. */
async function programCommands(url: 'visible' | 'hidden' | 'none'): Promise<Command[]> {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const [, ...commands] = all(await makeProgram(() => undefined));
  return commands.filter((command) => {
    const option = command.options.find(({ long }) => long === '--url');
    return url === (option === undefined ? 'none' : option.hidden ? 'hidden' : 'visible');
  });
}

function nameOf(command: Command): string {
  const { parent } = command;
  const before = parent === null || parent.parent === null ? [] : [nameOf(parent)];
  return [...before, command.name()].join(' ');
}

function isOf(command: Command, args: readonly string[]): boolean {
  const name = nameOf(command).split(' ');
  const next = args[name.length] ?? '';
  const isAnother = command.commands.some((each) => each.name() === next);
  return isDeepStrictEqual(args.slice(0, name.length), name) && !isAnother;
}

async function runAll(t: TestContext, way: Way) {
  const world = await makeStoreWorld(t, 'mariadb');
  const token = await makeTestToken(world);
  const cli = way === 'api' ? await reachByApi(t, world, token) : { url: world.url };
  const node = await world.join('w1', { ttlMs: 3_600_000 });
  const results: ReturnType<typeof plainResult>[] = [];
  for (const step of commandScript) {
    if (typeof step === 'function') {
      await step(node);
      continue;
    }
    const { args, input, env } = step;
    // How long something is overdue is another time each time.
    await world.rows('UPDATE slot SET next_run_at = NOW(3) WHERE next_run_at < NOW(3)');
    const given = input === undefined ? {} : { input };
    const result = await askCli(args, { ...cli, ...given, env: { ...cli.env, ...env } });
    results.push(plainResult(result));
  }
  const audit = await world.rows(selectAudit);
  return { results, audit: audit.map((row) => Object.values(row).map(plainText)) };
}

const selectAudit = `SELECT action, target, job_group, before_value, after_value FROM audit_log
  ORDER BY audit_id`;

function plainResult({ code, stderr, stdout }: CliResult) {
  return { code, stdout: plainText(stdout), stderr: plainText(stderr) };
}

/** Without what is another one each time: instants, lengths, what is drawn, blanks after them. */
function plainText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{3})?(Z| ?[+-]\d\d:\d\d)/g, (found) =>
      /^20[2-9]0/.test(found) ? found : 'INSTANT',
    )
    .replace(/\bin \d+ (s|min|h|days?)\b|\b\d+(\.\d+)? (s|min|h) ago\b|\b(just )?now\b/g, 'AWAY')
    .replace(/(paused together with [^:]* by) [\w@.-]+/g, '$1 WHO')
    .replace(/(\bpaused by) [\w@.-]+(?=: )/g, '$1 WHO')
    .replace(/(\buntil INSTANT \(AWAY\) by) [\w@-]+(\.[\w@-]+)*/g, '$1 WHO')
    .replace(/^((group|job|target) +\S+ +INSTANT +INSTANT +)\S+/gm, '$1WHO')
    .replace(/\b\d+\.\d+ ?s\b/g, 'TIME')
    .replace(/"by": ?"[^"]*"/g, '"by":"WHO"')
    .replace(/"(renewedAgoMs|tookMs|lastDurationMs)": ?\d+/g, '"$1":0')
    // Only requests to the API use a token.
    .replace(/("lastUsedAt": ?)(null|"[^"]*")/g, '$1"USED"')
    .replace(/(\b(viewer|operator|admin) +INSTANT +)(never|INSTANT)/g, '$1USED')
    .replace(/\bntc_[0-9a-f]{32}\b/g, 'NOTICE')
    .replace(/\bs[0-9a-f]{24}\b/g, 'SESSION')
    .replace(/statecron_\w{12}_[\w-]{43}|whsec_[\w+/=]{44}/g, 'SECRET')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{12}\b/g, 'ID')
    .replace(/[^ "]*\/statecron-input-\w+\/input/g, 'FILE')
    .replace(/ {2,}/g, '  ');
  try {
    // An edit of some fields may leave the fields of a definition in another order than before.
    return JSON.parse(text);
  } catch {
    return text;
  }
}
