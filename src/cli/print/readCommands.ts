import type { Argument, Command, Option } from 'commander';

/** A command that does something itself, as pages about all of them show it. */
export interface CommandText {
  /** `job add` */
  readonly name: string;
  /** `job add <name>` */
  readonly usage: string;
  readonly description: string;
  /** Its flags that are no shared ones. */
  readonly own: readonly Option[];
  /** Those of its flags that many commands have. */
  readonly shared: readonly Option[];
}

/** The commands of the program, those with commands below them too, in their order. */
export function readCommands(program: Command): CommandText[] {
  return leaves(program).map((command) => {
    const shown = command.options.filter(({ hidden }) => !hidden);
    const shared = shown.filter(({ long }) => sharedFlags.has(long ?? ''));
    const name = nameOf(command);
    return {
      name,
      usage: [name, ...command.registeredArguments.map(argumentText)].join(' '),
      description: command.description(),
      own: shown.filter((option) => !shared.includes(option)),
      shared,
    };
  });
}

/** The flags that most commands share, each once. */
export function sharedOptions(commands: readonly CommandText[]): Option[] {
  const all = commands.flatMap(({ shared }) => shared);
  return [...sharedFlags].flatMap((flag) => all.find(({ long }) => long === flag) ?? []);
}

const sharedFlags = new Set([
  ...['--url', '--token-file', '--tls-ca', '--json'],
  ...['--database-url', '--database-url-file', '--database-password-file'],
]);

/** What a flag does, takes, and is without being given; `quote` marks what is to be typed. */
export function describeOption(option: Option, quote: (word: string) => string): string {
  const { argChoices, defaultValue, description, long, mandatory } = option;
  const choices = argChoices === undefined ? '' : ` Takes ${argChoices.map(quote).join(', ')}.`;
  const value = option.defaultValueDescription ?? String(defaultValue ?? '');
  // It depends on the machine.
  const shown = long === '--threads' ? 'one for each four cores, four at most' : value;
  // The help of some flags ends with its default.
  const byDefault = shown === '' || description.endsWith(`(${shown})`) ? '' : ` Default: ${shown}.`;
  return `${description}.${choices}${byDefault}${mandatory ? ' Required.' : ''}`;
}

function argumentText(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

function leaves(command: Command): Command[] {
  return command.commands.flatMap((each) => {
    const below = leaves(each);
    const isOwn = each.commands.length === 0 || each.options.length > 0;
    return isOwn ? [each, ...below] : below;
  });
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${nameOf(parent)} ${command.name()}`;
}
