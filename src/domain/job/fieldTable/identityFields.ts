import { checkText } from './checkNames.ts';
import { list, text, under, variables } from './field.ts';

/** In every definition; nodes take any value. */
const base = { format: 1, checkedBy: 'nobody' } as const;

/** What a job is. */
export const identityFields = under('What it is:', {
  cron: list(
    'schedule',
    '5, 6 or 7 fields, @daily, @every 90s, @at ISO, @manual; may be repeated',
    { format: 1, value: 'expr', isNeeded: true, hasLines: true, checkedBy: 'schedule' },
  ),
  command: text('command', 'what bash -c is given', {
    ...base,
    isNeeded: true,
    check: checkCommand,
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
    ...base,
    default: {},
    bytesMax: 128 * 1024,
  }),
  secretEnv: variables(
    'secretEnv',
    'one that is never shown and masked in outputs; its value from here without =V',
    { format: 4, value: 'K[=V]', checkedBy: 'nobody' },
  ),
  cwd: text('cwd', "working folder (the home of the node's user)", {
    ...base,
    value: 'folder',
    default: null,
    without: 'the home',
    check: checkFolder,
  }),
  stdin: text('stdin', 'text for its standard input (closed)', {
    ...base,
    default: null,
    without: 'closed',
    check: checkMegabyte,
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
