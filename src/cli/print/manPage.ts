import type { Command, Option } from 'commander';
import { type CommandText, describeOption, readCommands, sharedOptions } from './readCommands.ts';

/** statecron(1) as roff, made from the commands. */
export function manPage(program: Command, version: string): string {
  const commands = readCommands(program);
  const summary = program.description().replace(/\.$/, '');
  const lines = [
    `.TH STATECRON 1 "" "statecron ${version}" "User Commands"`,
    ...['.SH NAME', `statecron \\- ${plain(summary)}`],
    ...['.SH SYNOPSIS', '.B statecron', '.I COMMAND', '[\\fIFLAGS\\fR]'],
    ...['.SH DESCRIPTION', text(about[0]), ...paragraphs(about.slice(1))],
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH FLAGS OF MANY COMMANDS',
    'The sections above say which commands have which of them.',
    ...sharedOptions(commands).flatMap(flag),
    ...['.SH ENVIRONMENT', ...items(environment)],
    ...['.SH FILES', ...items(files)],
    ...['.SH EXIT STATUS', ...items(exitStatus)],
    ...['.SH SEE ALSO', '.BR crontab (5),', '.BR systemd.service (5)'],
    ...paragraphs(['The documentation: statecron docs']),
  ];
  return `${lines.join('\n')}\n`;
}

function section({ description, name, own, shared, usage }: CommandText): string[] {
  const also = shared.map(({ long }) => long).join(', ');
  return [
    `.SS ${plain(name)}`,
    `\\fBstatecron\\fR ${plain(usage)}`,
    ...paragraphs([description]),
    ...own.flatMap(flag),
    ...(also === '' ? [] : paragraphs([`Also: ${also}.`])),
  ];
}

function flag(option: Option): string[] {
  return ['.TP', `\\fB${plain(option.flags)}\\fR`, text(describeOption(option, (word) => word))];
}

function items(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([name, what]) => ['.TP', `\\fB${plain(name)}\\fR`, text(what)]);
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((each) => ['.PP', text(each)]);
}

/** A line of text: one that began with a dot or an apostrophe would be a request. */
function text(words: string): string {
  return plain(words).replace(/^(?=[.'])/, '\\&');
}

function plain(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/\s*\n\s*/g, ' ');
}

const about = [
  'Jobs and their history are in a database, MariaDB or MySQL. Each machine runs a node, and one ' +
    'of the nodes that are live starts each tick of a job.',
  'Commands about a cluster speak to the database or, with --url, to the API of a node. ' +
    'Data is written to standard output, all else to standard error. ' +
    'Examples are in: statecron COMMAND --help',
] as const;

const environment = [
  ['STATECRON_DATABASE_URL, DATABASE_URL', 'The database: mysql://USER@HOST:3306/DATABASE.'],
  ['STATECRON_DATABASE_URL_FILE, DATABASE_URL_FILE', 'A file with that URL.'],
  [
    'STATECRON_DATABASE_PASSWORD_FILE',
    'A file with the password, which wins over the URL, but not over a password in --database-url.',
  ],
  ['STATECRON_URL', "A node's API, http://HOST:PORT, instead of the database."],
  ['STATECRON_TOKEN, STATECRON_TOKEN_FILE', 'The token for it, or a file with the token.'],
  ['STATECRON_TLS_CA', 'A file with the authority that its certificate is checked by.'],
  ['STATECRON_DATA', 'The folder of the private database of statecron up.'],
  ['STATECRON_SPOOL', 'Where a node keeps results while the database is away.'],
  ['STATECRON_SMTP_URL, STATECRON_SMTP_URL_FILE', 'How a node sends mail, or a file with it.'],
  ['STATECRON_MAIL_FROM', 'Who its mails are from.'],
  ['NO_COLOR', 'When it is set, nothing is in colour.'],
  ['PAGER', 'What statecron docs shows pages with on a terminal; else less.'],
  [
    'STATECRON_JOB, STATECRON_NODE, STATECRON_LAUNCH_ID, STATECRON_SCHEDULED_FOR, ' +
      'STATECRON_ATTEMPT',
    'Set for the command of a job: its name, the node, the launch, the tick, the attempt.',
  ],
] as const;

const files = [
  ['~/.local/share/statecron', 'The private database of statecron up, and its first token.'],
  ['~/.local/state/statecron/spool', 'Results that wait for the database.'],
  ['/etc/statecron/environment', 'Variables for the service of statecron print unit.'],
  ['/etc/statecron/database-password', 'The password for it.'],
] as const;

const exitStatus = [
  ['0', 'Done.'],
  ['1', 'It failed, or what was looked for is not there.'],
  ['2', 'The command was called wrongly.'],
  ['69', 'The database or the node cannot be reached.'],
  ['75', 'A node lost its session, or the command may be tried again.'],
  ['78', 'The configuration is wrong.'],
  ['other', 'statecron job run --wait ends with the exit code of the command.'],
] as const;
