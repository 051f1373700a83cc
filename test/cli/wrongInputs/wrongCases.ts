import { fileURLToPath } from 'node:url';
import type { Command, Option } from 'commander';
import { makeProgram } from '../../../src/cli/program.ts';

/** A command line that is wrong in one way. */
export interface WrongCase {
  readonly command: string;
  readonly args: readonly string[];
  /** The flag or argument that is wrong; null: nothing on the command line is. */
  readonly wrong: string | null;
}

/** Each command that does something, by the words that call it. */
export async function commandsByName(): Promise<Map<string, Command>> {
  const leaves = (command: Command, words: string): [string, Command][] =>
    command.commands.flatMap((each): [string, Command][] => {
      const name = `${words} ${each.name()}`.trim();
      const isOwn = each.commands.length === 0 || ['cluster', 'node'].includes(name);
      return [...(isOwn ? [[name, each] as [string, Command]] : []), ...leaves(each, name)];
    });
  return new Map(leaves(await makeProgram(() => undefined), ''));
}

/** A command line as it would be right, but for the objects that it names. */
export function rightLine(name: string, command: Command): string[] {
  const given =
    rightArguments[name] ??
    command.registeredArguments.flatMap(({ required }) => (required ? ['backup'] : []));
  return [...name.split(' '), ...given];
}

export function unknownFlags(name: string, command: Command): WrongCase[] {
  const [known = '--help'] = flagsOf(command).map(({ long }) => long ?? '');
  const mistyped = `${known.slice(0, -2)}${known.slice(-1)}`;
  return ['--no-such-flag', mistyped].map((flag) => {
    return { command: name, args: [...rightLine(name, command), flag], wrong: flag };
  });
}

export function missingValues(name: string, command: Command): WrongCase[] {
  const words = name.split(' ');
  const required = command.registeredArguments.filter((argument) => argument.required);
  const line = rightLine(name, command);
  return [
    ...required.map((argument, place) => {
      const args = line.slice(0, words.length + place);
      return { command: name, args, wrong: `<${argument.name()}>` };
    }),
    ...valued(command).map(({ long }) => {
      return { command: name, args: [...line, long ?? ''], wrong: long ?? '' };
    }),
  ];
}

export function wrongTypes(name: string, command: Command): WrongCase[] {
  return valued(command).map(({ long }) => {
    const args = [...rightLine(name, command), long ?? '', 'no such value'];
    return { command: name, args, wrong: long ?? '' };
  });
}

/** Each argument and each value as people may copy it: shortened, or with letters of their own. */
export function otherLetters(name: string, command: Command): WrongCase[] {
  const line = rightLine(name, command);
  const first = name.split(' ').length;
  const named = line.flatMap((word, place) =>
    place < first || word.startsWith('--') ? [] : [line.with(place, foreign)],
  );
  const given = valued(command).map(({ long }) => [...line, long ?? '', foreign]);
  return [...named, ...given].map((args) => ({ command: name, args, wrong: foreign }));
}

const foreign = 's6408a5…:11';

/** Commands with an argument that names what is there; `typos`: those that are nearly right. */
export function missingObjects(name: string): WrongCase[] {
  const typo = typos[name] ?? typos[name.split(' ')[0] ?? ''];
  if (typo === undefined || making.has(name)) return [];
  return [{ command: name, args: [...name.split(' '), ...typo], wrong: typo[0] ?? '' }];
}

/** These make what they name. */
const making = new Set(['job add', 'group add', 'token add', 'notify add', 'limit set']);
const typos: Record<string, string[]> = {
  job: ['bakup'],
  'job list': ['--group', 'shopp'],
  'job edit': ['bakup', '--nice', '5'],
  'job rollback': ['bakup', '1'],
  audit: ['--job', 'bakup'],
  pause: ['--group', 'shopp', '--yes'],
  resume: ['--group', 'shopp', '--yes'],
  backfill: ['bakup', '--from', '2020-01-01T00:00:00Z', '--to', '2020-01-02T00:00:00Z'],
  run: ['s0000:1'],
  runs: ['--job', 'bakup'],
  verify: ['--job', 'bakup'],
  export: ['--group', 'shopp'],
  group: ['wbe'],
  'group edit': ['wbe', '--add-node', 'w1'],
  limit: ['shopp'],
  token: ['grafna'],
  notify: ['opss'],
  'notify edit': ['opss', '--no-on'],
  'notify mute': ['bakup', '--until', '1h'],
  'notify unmute': ['bakup'],
  'cluster forget': ['w11'],
  'machines show': ['slto'],
  print: ['unti'],
  next: ['@dayly'],
  apply: ['/no/such/file'],
  import: ['/no/such/file'],
  restore: ['/no/such/file'],
};
/** Lists of all have no object. */
for (const list of ['group list', 'limit list', 'token list', 'notify list']) making.add(list);
for (const list of ['machines list', 'notify mutes']) making.add(list);

function flagsOf(command: Command): readonly Option[] {
  return command.options.filter(({ hidden, long }) => !hidden && long !== '--help');
}

function valued(command: Command): readonly Option[] {
  return flagsOf(command).filter(({ required }) => required);
}

const crontab = fileURLToPath(new URL('./crontab.txt', import.meta.url));

const rightArguments: Record<string, string[]> = {
  'job add': ['fresh', '--cron', '@daily', '--command', 'true'],
  'job edit': ['backup', '--nice', '5'],
  'job list': [],
  'job go-live': ['backup'],
  'job observe': ['backup'],
  'job rollback': ['backup', '1'],
  'job pause': ['backup'],
  'job resume': ['backup'],
  'job run': ['backup'],
  'job remove': ['backup'],
  pause: ['--group', 'shop', '--dry-run'],
  resume: ['--group', 'shop', '--dry-run'],
  'observe report': ['--cron-log', crontab],
  'group edit': ['web', '--add-node', 'w1'],
  'limit set': ['shop', '4'],
  'notify add': ['fresh', '--mail', 'a@example.com'],
  'notify edit': ['ops', '--no-on'],
  'notify mute': ['backup', '--until', '1h'],
  'notify unmute': ['backup'],
  'notify test': ['ops', '--wait-timeout', '0s'],
  backfill: ['backup', '--from', '2020-01-01T00:00:00Z', '--to', '2020-01-02T00:00:00Z'],
  next: ['@daily'],
  print: ['unit'],
  'machines show': ['slot'],
  apply: [crontab, '--format', 'crontab', '--dry-run'],
  import: [crontab],
};
