import type { Option } from 'commander';
import {
  type CommandText,
  describeOption,
  readCommands,
  sharedOptions,
} from '../../src/cli/print/readCommands.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { jobFields } from '../../src/domain/job/fields.ts';
import { longLine } from './longLine.ts';

/** `docs/commands.md`: every command with its flags, made of their definitions. */
export async function commandsPage(): Promise<string> {
  const commands = readCommands(await makeProgram(() => undefined));
  const shared = sharedOptions(commands).map(optionLine);
  const sections = commands.map(section);
  return `# Commands

\`statecron COMMAND --help\` shows the same with examples. This page is written from the commands'
definitions by \`npm run docs\`.

## Flags of many commands

Commands about a cluster have all of these, commands that need the database itself those of the
database. The section of a command says which of them it has.

${shared.join('\n')}

## Times

A flag that takes a time takes any of these. Programs give the first.

| form | example |
| --- | --- |
| with its offset, ISO 8601 | \`2030-01-31T09:30:00Z\`, \`2030-01-31T09:30+01:00\` |
| as it is printed | \`2030-01-31 09:30:00 +01:00\` |
| a local time | \`2030-01-31T09:30\`, \`2030-01-31 09:30:00\` |
| a date: its beginning | \`2030-01-31\` |
| a time of day: of \`--since\` and \`backfill\` the last, else the next | \`20:00\`, \`06:00:30\` |
| \`--until\`, \`--expires\`: from now on; \`--since\`: ago | \`2h\`, \`1d12h\` |

A time without an offset is one of the zone of the job where one job is meant, else of the terminal
(\`TZ\`); what came of a time of day is printed with its offset. A time that the clock jumps over is
read as the end of the jump; one that it shows twice as the first, of a time of day as the nearer.
Fields of jobs (\`--not-before\`, \`--not-after\`, \`--paused-until\`, and their keys in files) take
what has a date. The API takes times with their offset, and durations.

${sections.join('\n')}`;
}

function section({ description, name, own, shared, usage }: CommandText): string {
  const isOfFields = (option: Option) => withFields.has(name) && isField(option);
  const ofFields = own.filter(isOfFields);
  const items = [
    ...own.filter((option) => !isOfFields(option)).map(optionLine),
    ...(ofFields.length > 0 ? ['- Every field of [jobs](jobs.md#all-fields).'] : []),
    ...namesLine(
      'To take a field away',
      ofFields.filter(({ negate }) => negate),
    ),
    ...namesLine('Also', shared),
  ];
  return `## ${name}

\`statecron ${usage}\`

${longLine(description).replace(/\n {2}/g, '\n')}

${items.join('\n')}
`;
}

const withFields = new Set(['job add', 'job edit']);

function namesLine(what: string, options: readonly Option[]): string[] {
  if (options.length === 0) return [];
  return [longLine(`- ${what}: ${options.map(({ long }) => `\`${long}\``).join(', ')}.`)];
}

function optionLine(option: Option): string {
  return longLine(`- \`${option.flags}\`: ${describeOption(option, (word) => `\`${word}\``)}`);
}

function isField({ long }: Option): boolean {
  return fieldFlags.has(long ?? '');
}

const fieldFlags = new Set(jobFields.flatMap(({ flag }) => [`--${flag}`, `--no-${flag}`]));
