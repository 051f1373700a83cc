import { Argument, type Command, type Option } from 'commander';
import type { NamedKind } from '../connect/objectNames.ts';
import { collect } from '../options/readOptions.ts';

/** A word that may stand where the cursor is, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly help: string;
}

/** What may stand where the cursor is. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The names of these, which only the cluster knows; null: none. */
  readonly names: NamedKind | null;
  /** What stands before the names in the same word: `--group=`. */
  readonly before: string;
  /** What the word begins with behind that. */
  readonly typed: string;
  /** The values of the flags that are given, such as `databaseUrl`. */
  readonly options: Readonly<Record<string, string>>;
}

/** What may stand for the last of the words of a command line, those behind `statecron`. */
export function completeWords(program: Command, words: readonly string[]): Completion {
  const line = readLine(program, words.slice(0, -1));
  const word = words.at(-1) ?? '';
  const assigned = /^(--[^=]+=)(.*)$/s.exec(word);
  if (line.open !== null) return valuesOf(line, line.open, '', word);
  if (line.isFlagsOver || !word.startsWith('-')) return placesOf(line, word);
  if (assigned === null) return { ...nothing(line, word), candidates: flagsOf(line) };
  const [, before = '', typed = ''] = assigned;
  const option = findOption(line.command, before.slice(0, -1));
  return option === null ? nothing(line, word) : valuesOf(line, option, before, typed);
}

/** What the words before the cursor say. */
interface Line {
  readonly command: Command;
  readonly given: ReadonlySet<Option>;
  readonly options: Readonly<Record<string, string>>;
  /** How many arguments of the command are there already. */
  readonly places: number;
  /** The flag whose value the next word is. */
  readonly open: Option | null;
  readonly isFlagsOver: boolean;
}

function readLine(program: Command, words: readonly string[]): Line {
  let command = program;
  let places = 0;
  let open: Option | null = null;
  let isFlagsOver = false;
  const given = new Set<Option>();
  const options: Record<string, string> = {};
  for (const word of words) {
    if (open !== null) {
      options[open.attributeName()] = word;
      open = null;
    } else if (isFlagsOver || !word.startsWith('-')) {
      const below = places === 0 && !isFlagsOver ? findCommand(command, word) : undefined;
      if (below === undefined) places += 1;
      else command = below;
    } else if (word === '--') {
      isFlagsOver = true;
    } else {
      const [flag = '', ...value] = word.split('=');
      const option = findOption(command, flag);
      if (option === null) continue;
      given.add(option);
      if (value.length > 0) options[option.attributeName()] = value.join('=');
      else if (option.required) open = option;
    }
  }
  return { command, given, options, places, open, isFlagsOver };
}

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((each) => each.name() === word);
}

function findOption(command: Command, flag: string): Option | null {
  return command.options.find(({ long, short }) => long === flag || short === flag) ?? null;
}

function nothing({ options }: Line, typed: string): Completion {
  return { candidates: [], names: null, before: '', typed, options };
}

/** Flags that can be given still; some may be given again. */
function flagsOf({ command, given }: Line): Candidate[] {
  const flags = command.options.filter((option) => {
    const isRepeatable = option.parseArg === collect;
    return !option.hidden && (!given.has(option) || isRepeatable);
  });
  const own = flags.map(({ long, flags: all, description }) => candidate(long ?? all, description));
  return [...own, candidate('--help', 'show how the command is used')];
}

/** Where a command or an argument stands. */
function placesOf(line: Line, word: string): Completion {
  const { command, isFlagsOver, places } = line;
  const commands = places > 0 || isFlagsOver ? [] : command.commands;
  const below = commands.map((each) => candidate(each.name(), each.description()));
  const argument = command.registeredArguments[places];
  if (argument === undefined) return { ...nothing(line, word), candidates: below };
  const values = valuesOf(line, argument, '', word);
  return { ...values, candidates: [...below, ...values.candidates] };
}

function valuesOf(
  line: Line,
  target: Option | Argument,
  before: string,
  typed: string,
): Completion {
  const { argChoices = [], description } = target;
  const words = argChoices.length === 0 && isZone(target) ? zones() : argChoices;
  const candidates = words.map((word) => candidate(`${before}${word}`, description));
  return { ...nothing(line, typed), candidates, names: kindOf(line.command, target), before };
}

const isZone = (target: Option | Argument): boolean => placeholderOf(target) === 'zone';
const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** What a flag or an argument names, by what it is called. */
function kindOf(command: Command, target: Option | Argument): NamedKind | null {
  const placeholder = placeholderOf(target);
  const subject = command.parent?.name() ?? '';
  if (!(target instanceof Argument)) {
    return kindsOfFlags[target.long ?? ''] ?? kindsOfPlaceholders[placeholder] ?? null;
  }
  // What is added is not there yet; a limit is set for a group of jobs.
  if (command.name() === 'add') return null;
  if (subject === 'limit') return command.name() === 'set' ? limitedOf(placeholder) : 'limit';
  if (placeholder === 'name') return kindsOfSubjects[subject] ?? null;
  return kindsOfPlaceholders[placeholder] ?? null;
}

const limitedOf = (placeholder: string): NamedKind | null =>
  placeholder === 'group' ? 'jobGroup' : null;

const kindsOfPlaceholders: Readonly<Record<string, NamedKind>> = {
  job: 'job',
  node: 'node',
  group: 'group',
  target: 'target',
};
const kindsOfSubjects: Readonly<Record<string, NamedKind>> = {
  job: 'job',
  group: 'group',
  token: 'token',
};
/** Flags whose value is only called a name. */
const kindsOfFlags: Readonly<Record<string, NamedKind>> = {
  '--job': 'job',
  '--group': 'jobGroup',
  '--node': 'node',
  '--add-node': 'node',
  '--remove-node': 'node',
  '--on-node': 'node',
  '--not-on-node': 'node',
};

/** `job` of `--after <job[:end]>`. */
function placeholderOf(target: Option | Argument): string {
  return target instanceof Argument ? target.name() : (/<(\w+)/.exec(target.flags)?.[1] ?? '');
}

const candidate = (word: string, help: string): Candidate => ({ word, help });
