import { type Command, CommanderError } from 'commander';
import { makeProgram, withHelpFlag } from '../../../src/cli/program.ts';
import { placeholder } from '../../tidy/syntax.ts';
import type { PrintedText } from './printedTexts.ts';
import { argumentsOf, simpleCommands } from './simpleCommands.ts';

/** A command line of statecron that is printed. */
export interface CommandLine {
  readonly args: readonly string[];
  /** It stands in a sentence, where arguments are left out: "see: statecron job edit". */
  readonly isShort: boolean;
}

/** Commands that do something themselves, and have others below them. */
const actsItself = new Set(['cluster', 'node']);

const program = await makeProgram(() => undefined);
for (const command of withAllBelow(program)) {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  if (command.commands.length === 0 || actsItself.has(command.name())) command.action(() => {});
}
const names = new Set(program.commands.map((command) => command.name()));

/** Why the program would refuse the line; null: it takes it. Nothing of the command is run. */
export function whyRefused({ args, isShort }: CommandLine): string | null {
  try {
    program.parse(withHelpFlag(args), { from: 'user' });
    return null;
  } catch (error) {
    if (error instanceof CommanderError && shownHelp.has(error.code)) return null;
    const { message } = error as Error;
    if (args.some((word) => /^--.*[A-Z]/.test(word))) return null;
    return isShort && mayBeShort.test(message) ? null : message;
  }
}

const shownHelp = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/** An argument or value that is left out, a word of the sentence, or what stands for a value. */
const mayBeShort = new RegExp(
  'which is missing|needs a value|is one too many|no command "COMMAND"|' +
    `"[^"]*(?:${placeholder}|\\b[A-Z]{2,})[^"]*" is (?:not|neither)`,
);

/** The command lines in a text. */
export function commandLines({ form, info, path, text }: PrintedText): CommandLine[] {
  if (form === 'script') return linesOfScript(text, false);
  if (form === 'span') return linesOfSpan(text);
  // On a page a command is in code font, or in a block.
  if (path.endsWith('.md') && info === undefined) return [];
  const scripts = [...text.matchAll(afterPrompt)].map(([, line = '']) => line);
  const rest = text.replace(afterPrompt, '');
  return [
    ...scripts.flatMap((line) => linesOfScript(line.replace(/ {3,}\S.*/, ''), false)),
    ...[...rest.matchAll(inSentence)].flatMap(([, sign = '', tail = '']) => {
      const [first = ''] = tail.split(/\s/);
      // "statecron sends no mail" is a sentence; "see: statecron sends" is a command.
      if (!names.has(first) && !/[:`"$]/.test(sign)) return [];
      return linesOfScript(`statecron ${tail.replace(/[.,…]+$/, '')}`, true);
    }),
  ];
}

const afterPrompt = /^ *\$ ((?:.*\\\n)*.*)/gm;
const inSentence = /(^|[:`"(|;,]|\b\w+)\s*(?<![-/\w.])statecron ([a-z-][^\n;|"`(),>]*)/gm;

function linesOfScript(script: string, isShort: boolean): CommandLine[] {
  return simpleCommands(script).flatMap((words) => {
    const args = argumentsOf('statecron', words);
    return args === null ? [] : [{ args, isShort }];
  });
}

/** `statecron run log`, and `run log --raw` as well. */
function linesOfSpan(text: string): CommandLine[] {
  if (/(^|[|(;&] ?|=\S+ )statecron /.test(text)) return linesOfScript(text, true);
  const [first = '', second = ''] = text.split(' ');
  // "node" alone is Node.js's own.
  const isCommand =
    names.has(first) && first !== 'node' && (hasBelow(first, second) || second.startsWith('--'));
  return isCommand ? linesOfScript(`statecron ${text}`, true) : [];
}

function hasBelow(name: string, below: string): boolean {
  const command = program.commands.find((each) => each.name() === name);
  return command?.commands.some((each) => each.name() === below) ?? false;
}

/** Every flag that some command has. */
export const allFlags = new Set(
  withAllBelow(program).flatMap(({ options }) =>
    options.flatMap(({ long, short }) => [long ?? '', short ?? '']),
  ),
);
allFlags.add('--help');

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}
