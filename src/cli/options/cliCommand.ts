import {
  type Argument,
  Command,
  type HelpContext,
  InvalidArgumentError,
  type Option,
} from 'commander';
import type { OperatorError } from '../../domain/errors/errors.ts';
import { didYouMean, nearNames } from '../../domain/text/didYouMean.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { usageFault } from '../output/reportFault.ts';
import { hintOfWait } from './waitOptions.ts';

/**
 * A command that says in our words how it was called wrongly. commander calls these methods for the
 * texts of its own and leaves them out of its types; `test/cli/wrongInputs.txt` shows all texts.
 */
export class CliCommand extends Command {
  /** The words that the program was called with; the root alone has them. */
  declare readonly rawArgs: readonly string[];

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  unknownOption(flag: string): never {
    const shown = this.options.filter(({ long, hidden }) => long && !hidden);
    const names = shown.map(({ long }) => `${long}`.slice(2));
    const [long = ''] = flag.split('=');
    const given = long.replace(/^-+/, '');
    const wanted = usualFlags[given]?.find((name) => names.includes(name)) ?? given;
    const meant = this.registeredArguments.some((argument) => argument.name() === given)
      ? ` It takes <${given}> without a flag.`
      : didYouMean(wanted, names, (name) => `--${name}`);
    throw this.#fault(`${this.#has('flag')} ${long}.${meant}`);
  }

  /** `frob --help` is about no command. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [given = '-'] = this.args;
    const isCommand = !given.startsWith('-') && given !== 'help';
    if (isCommand && this.commands.length > 0) this.unknownCommand();
    super.outputHelp(context as HelpContext);
  }

  missingArgument(name: string): never {
    throw this.#fault(`${this.#title()} needs <${name}>, which is missing.`);
  }

  missingMandatoryOptionValue({ flags }: Option): never {
    throw this.#fault(`${this.#title()} needs ${flags}, which is missing.`);
  }

  optionMissingArgument(option: Option): never {
    throw this.#fault(`${nameOf(option)} needs a value: ${option.flags}.`);
  }

  _conflictingOption(one: Option, other: Option): never {
    throw this.#fault(`${nameOf(one)} and ${nameOf(other)} cannot be used together.`);
  }

  _excessArguments(given: readonly string[]): never {
    const taken = this.registeredArguments.map((argument) => `<${argument.name()}>`);
    const takes = taken.length === 0 ? 'no argument' : `only ${taken.join(' and ')}`;
    const first = JSON.stringify(given[taken.length]);
    const hint = this.#hintOfSurplus(`${given[taken.length]}`);
    // "pause NAME" is "job pause NAME".
    const [one = '', ...rest] = taken.length === 0 ? given : [];
    // "cluster list" is "cluster".
    const itself = shows.has(one) ? [pathOf(this)] : [];
    const [near] = one === '' ? [] : [...itself, ...this.#commandsNear(one, rest)];
    const isJob = one !== '' && this.options.some(({ long }) => long === '--job');
    const guess = near ?? (isJob ? `${pathOf(this)} --job ${shellWord(one)}` : undefined);
    const meant = guess === undefined ? '' : ` Did you mean: ${guess}?`;
    throw usageFault(`${this.#title()} takes ${takes}; ${first} is one too many.${meant}`, hint);
  }

  /** What may have made words too many, mostly a shell. */
  #hintOfSurplus(word: string): string {
    const { rawArgs } = rootOf(this) as CliCommand;
    const ofCron = rawArgs[rawArgs.indexOf('--cron') + 1] ?? '';
    const isCron = rawArgs.includes('--cron') && isInParts.test(ofCron);
    const isExpr =
      this.registeredArguments[0]?.name() === 'expr' && isInParts.test(this.args[0] ?? '');
    if (isCron || isExpr) {
      return `Put the schedule in quotes: ${isCron ? '--cron' : pathOf(this)} '* * * * *'`;
    }
    const ways = this.options.flatMap(({ long }) => long ?? []).filter((way) => ofMany.has(way));
    const isOfMany = this.options.some(({ long }) => long === '--expect');
    // A word right behind the command belongs to no value.
    const isAlone = rawArgs[rawArgs.indexOf(word) - 1] === this.name();
    const quotes = isAlone ? '' : 'A value with blanks needs quotes. ';
    const many = isOfMany ? `Several jobs at once: ${ways.join(', ')}. ` : quotes;
    return `${hintOfWait(this, word) ?? many}See: ${pathOf(this)} --help`;
  }

  unknownCommand(): never {
    const [given = '', ...rest] = this.args;
    if (renames.has(given) && (this.parent === null || this.name() === 'job')) {
      const hint =
        'Add it anew and remove this one, whose history stays. See: statecron job --help';
      throw usageFault(`${this.#has('command')} "${given}": a job keeps its name.`, hint);
    }
    const usual = this.#usualCommand(given);
    const known = usual === undefined ? [] : [`${usual}${wordsOf(rest)}`];
    const isOwn = usual !== undefined && this.parent !== null;
    const others = isOwn ? [] : this.#commandsNear(given, rest);
    const near = [...new Set([...known, ...others])];
    const meant = near.length === 0 ? '' : ` Did you mean: ${near.slice(0, 3).join(', or: ')}?`;
    throw this.#fault(`${this.#has('command')} ${JSON.stringify(given)}.${meant}`);
  }

  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    try {
      return target.parseArg?.(value, previous);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw this.#fault(`${nameOf(target)}: ${whyInvalid(target, value, error)}`);
    }
  }

  /** The command as messages name it: they begin with the name of the program. */
  #title(): string {
    return pathOf(this).replace(/^\S+ /, '');
  }

  #has(what: 'flag' | 'command'): string {
    return this.parent === null ? `There is no ${what}` : `${this.#title()} has no ${what}`;
  }

  #fault(message: string): OperatorError {
    return usageFault(message, `See: ${pathOf(this)} --help`);
  }

  /** What other programs call like this. */
  #usualCommand(given: string): string | undefined {
    const root = rootOf(this);
    const usual = usualNames[this.name()]?.[given];
    if (usual !== undefined) return `${root.name()} ${usual}`;
    const of = this === root ? root.commands.find((each) => each.name() === 'job') : this;
    const verbs = usualVerbs[given] ?? [];
    const found = of?.commands.find((each) => verbs.includes(each.name()));
    return found && pathOf(found);
  }

  /** Whole command lines that may have been meant by `given` where a command of this one stands. */
  #commandsNear(given: string, rest: readonly string[]): string[] {
    const after = wordsOf(rest);
    const siblings = this.commands.filter((command) => !isHelp(command));
    const near = nearNames(
      given,
      siblings.map((command) => command.name()),
    );
    const here = near.map((name) => `${pathOf(this)} ${name}${after}`);
    // "job NAME run" is "job run NAME".
    const [verb, ...words] = this.parent === null ? [] : rest;
    const turned = siblings
      .filter((command) => command.name() === verb)
      .map((command) => `${pathOf(command)}${wordsOf([given, ...words])}`);
    const others = leavesOf(rootOf(this)).filter((command) => command.parent !== this);
    // What was left out is the subject: "run NAME" is "job run NAME", "log ID" is "run log ID".
    const ofOwnName = others
      .filter((command) => command.name() === this.name() && command.registeredArguments.length > 0)
      .map((command) => `${pathOf(command)}${wordsOf([given])}${after}`);
    // "run 30" is "run show 30".
    const shown = siblings
      .filter((command) => command.name() === 'show' && /^\d+$/.test(given))
      .map((command) => `${pathOf(command)} ${given}${after}`);
    const ofSubject = others
      .filter((command) => command.name() === given)
      .map((command) => `${pathOf(command)}${after}`);
    return [...here, ...turned, ...shown, ...ofOwnName, ...ofSubject];
  }
}

/** What other programs call these flags. */
const usualFlags: Readonly<Record<string, readonly string[]>> = {
  tz: ['timezone'],
  n: ['limit'],
  schedule: ['cron'],
  status: ['result', 'state'],
};

/** What other programs call it, in place of a command and of one of `job`. */
const usualNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  statecron: {
    ...{ ls: 'job list', list: 'job list', jobs: 'job list', logs: 'job log' },
    ...{ status: 'cluster', nodes: 'cluster', history: 'runs', ps: 'runs --running' },
  },
  job: { history: 'runs --job', next: 'job show' },
};

/** What others call what is done to a job, a run or a group. */
const usualVerbs: Readonly<Record<string, readonly string[]>> = {
  ...{ delete: ['remove', 'revoke'], rm: ['remove', 'revoke'], del: ['remove', 'revoke'] },
  ...{ create: ['add'], new: ['add'], update: ['edit'], modify: ['edit'] },
  ...{ disable: ['pause'], enable: ['resume'], kill: ['stop'], trigger: ['run'], start: ['run'] },
  ...{ ls: ['list'], logs: ['log'], get: ['show'] },
};

const renames: ReadonlySet<string> = new Set(['rename', 'mv']);

/** The first word of a schedule that has more; of `*` a shell makes the names of files. */
const isInParts = /^(?:[^\s@]\S*|@every|@at)$/;

/** Flags that name several jobs. */
const ofMany: ReadonlySet<string> = new Set(['--all', '--group', '--tag', '--text']);

const shows: ReadonlySet<string> = new Set(['list', 'ls', 'show', 'status']);

/** What is typed to call the command: `statecron job add`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

/** The commands below one that do something themselves. */
function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((each) => {
    if (isHelp(each)) return [];
    return each.commands.length === 0 ? [each] : leavesOf(each);
  });
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** Words as they are to be typed, each behind a blank. */
function wordsOf(words: readonly string[]): string {
  return words.map((word) => ` ${shellWord(word)}`).join('');
}

const isHelp = (command: Command): boolean => command.name() === 'help';

/** How an option or an argument is named to people. */
function nameOf(target: Option | Argument): string {
  if ('long' in target) return target.long ?? target.flags;
  return `<${target.name()}>`;
}

function whyInvalid(target: Option | Argument, value: string, { message }: Error): string {
  const shown = JSON.stringify(value);
  const { argChoices } = target;
  if (argChoices !== undefined) {
    const meant = didYouMean(value, argChoices);
    return `${shown} is not one of ${argChoices.join(', ')}.${meant}`;
  }
  return message.includes(shown) ? message : `${shown} is not valid. ${message}`;
}
