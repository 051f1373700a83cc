import { checkText } from './checkNames.ts';
import { list, text, under, variables } from './field.ts';

/** What a job is. */
export const identityFields = under('What it is:', {
  cron: list(
    'schedule',
    '5, 6 or 7 fields, @daily, @every 90s, @at ISO, @manual; may be repeated',
    { format: 1, value: 'expr', isNeeded: true, hasLines: true, checkedBy: 'schedule' },
  ),
  command: text('command', 'what bash -c is given', {
    format: 1,
    isNeeded: true,
    check: checkCommand,
    checkedBy: 'nobody',
  }),
  description: text('description', 'what it is for', {
    format: 5,
    default: '',
    without: 'nothing is said',
    check: checkDescription,
    checkedBy: 'nobody',
  }),
  timezone: text('timezone', 'IANA zone that the schedule is computed in (UTC)', {
    format: 1,
    value: 'zone',
    default: 'UTC',
    checkedBy: 'schedule',
  }),
  env: variables('env', 'a variable for the job; may be repeated', {
    format: 1,
    default: {},
    bytesMax: 128 * 1024,
    checkedBy: 'nobody',
  }),
  secretEnv: variables(
    'secretEnv',
    'one that is never shown and masked in outputs; its value from here without =V',
    { format: 4, value: 'K[=V]', checkedBy: 'nobody' },
  ),
  cwd: text('cwd', "working folder (the home of the node's user)", {
    format: 1,
    value: 'folder',
    default: null,
    without: 'the home',
    check: checkFolder,
    checkedBy: 'nobody',
  }),
  stdin: text('stdin', 'text for its standard input (closed)', {
    format: 1,
    default: null,
    without: 'closed',
    check: checkMegabyte,
    checkedBy: 'nobody',
  }),
});

function checkMegabyte(text: string): string | null {
  return checkText(text, 1024 * 1024);
}

function checkCommand(command: string): string | null {
  return command.trim() === '' ? 'is empty' : checkMegabyte(command);
}

function checkFolder(folder: string): string | null {
  return folder.startsWith('/') ? checkText(folder, 4_095) : 'is not an absolute path';
}

function checkDescription(description: string): string | null {
  if (description.trim() === '') return 'says nothing';
  const characters = [...description].length;
  if (characters > 1_000) return `has ${characters} characters; 1000 are allowed`;
  return /(?![\n\t])\p{Cc}/u.test(description)
    ? 'has a control character in it'
    : checkText(description);
}
