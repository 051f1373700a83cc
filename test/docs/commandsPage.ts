import type { Argument, Command, Option } from 'commander';
import { makeProgram } from '../../src/cli/program.ts';
import { jobFields } from '../../src/domain/job/fields.ts';
import { longLine } from './longLine.ts';

/** `docs/commands.md`: every command with its flags, made of their definitions. */
export async function commandsPage(): Promise<string> {
  const program = await makeProgram(() => undefined);
  const commands = leaves(program);
  const shared = [...connecting].map((flag) => {
    const options = commands.flatMap((command) =>
      command.options.filter(({ long }) => long === flag),
    );
    return optionLine(options.find(({ hidden }) => !hidden) as Option);
  });
  const sections = commands.map(section);
  return `# Commands

\`statecron COMMAND --help\` shows the same with examples. This page is written from the commands'
definitions by \`npm run docs\`.

## Flags of many commands

Commands about a cluster have all of these, commands that need the database itself those of the
database. The section of a command says which of them it has.

${shared.join('\n')}

${sections.join('\n')}`;
}

/** The flags that most commands share, so that they are described once. */
const connecting = new Set([
  ...['--url', '--token-file', '--tls-ca', '--json'],
  ...['--database-url', '--database-url-file', '--database-password-file'],
]);

function section(command: Command): string {
  const shown = command.options.filter(({ hidden }) => !hidden);
  const shared = shown.filter(({ long }) => connecting.has(long ?? ''));
  const isOfFields = (option: Option) => withFields.has(nameOf(command)) && isField(option);
  const own = shown.filter((option) => !shared.includes(option) && !isOfFields(option));
  const negated = shown.filter((option) => isOfFields(option) && option.negate);
  const items = [
    ...own.map(optionLine),
    ...(shown.some(isOfFields) ? ['- Every field of [jobs](jobs.md#all-fields).'] : []),
    ...namesLine('To take a field away', negated),
    ...namesLine('Also', shared),
  ];
  const usage = [nameOf(command), ...command.registeredArguments.map(argumentText)].join(' ');
  return `## ${nameOf(command)}

\`statecron ${usage}\`

${longLine(command.description()).replace(/\n {2}/g, '\n')}

${items.join('\n')}
`;
}

const withFields = new Set(['job add', 'job edit']);

function namesLine(what: string, options: readonly Option[]): string[] {
  if (options.length === 0) return [];
  return [longLine(`- ${what}: ${options.map(({ long }) => `\`${long}\``).join(', ')}.`)];
}

function optionLine(option: Option): string {
  const { argChoices, defaultValue, description, flags, mandatory } = option;
  const taken = argChoices?.map((each) => `\`${each}\``).join(', ');
  const choices = taken === undefined ? '' : ` Takes ${taken}.`;
  const value = option.defaultValueDescription ?? String(defaultValue ?? '');
  const shown = option.long === '--threads' ? 'one for each four cores, four at most' : value;
  // The help of some flags ends with its default.
  const byDefault = shown === '' || description.endsWith(`(${shown})`) ? '' : ` Default: ${shown}.`;
  const need = mandatory ? ' Required.' : '';
  return longLine(`- \`${flags}\`: ${description}.${choices}${byDefault}${need}`);
}

function isField({ long }: Option): boolean {
  return fieldFlags.has(long ?? '');
}

const fieldFlags = new Set(jobFields.flatMap(({ flag }) => [`--${flag}`, `--no-${flag}`]));

function argumentText(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '...' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Commands that do something themselves, those with commands below them too. */
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
