import { checkText } from './checkNames.ts';
import { rowsWith, under } from './field.ts';

const { text, variables } = rowsWith({ format: 1, checkedBy: 'nobody' });
const scheduled = rowsWith({ format: 1, checkedBy: 'schedule' });

/** What a job is. */
export const identityFields = under('What it is:', {
  cron: scheduled.list(
    'schedule',
    'when it runs: 5 to 7 fields, @daily, @every 90s, @at ISO, @manual; may be repeated',
    { value: 'expr', isNeeded: true, hasLines: true },
  ),
  command: text('command', 'the command, which bash -c runs', {
    isNeeded: true,
    check: checkCommand,
  }),
  description: rowsWith({ format: 5, checkedBy: 'nobody' }).text(
    'description',
    'what the job is for',
    {
      default: '',
      without: 'nothing is said',
      check: checkDescription,
    },
  ),
  timezone: scheduled.text('timezone', 'IANA time zone of the schedule (default: UTC)', {
    value: 'zone',
    default: 'UTC',
  }),
  env: variables('env', 'an environment variable of the command; may be repeated', {
    default: {},
    bytesMax: 128 * 1024,
  }),
  secretEnv: rowsWith({ format: 4, checkedBy: 'nobody' }).variables(
    'secretEnv',
    'a variable that is never shown, and masked in outputs; without =V: as in your environment',
    { value: 'K[=V]' },
  ),
  cwd: text('cwd', 'working directory of the command (the home of the user that it runs as)', {
    value: 'folder',
    default: null,
    without: 'the home',
    check: checkFolder,
  }),
  stdin: text('stdin', 'text for the standard input of the command (closed)', {
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
