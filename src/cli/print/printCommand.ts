import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import type { OperatorError } from '../../domain/errors/errors.ts';
import { checkUserName } from '../../domain/job/fieldTable/checkNames.ts';
import { programFile } from '../../shipped/shippedFiles.ts';
import { packageVersion } from '../connect/packageVersion.ts';
import { addExamples } from '../options/clusterOptions.ts';
import { collect } from '../options/readOptions.ts';
import { readUsers } from '../options/readUsers.ts';
import { printWarning } from '../output/lines/printWarning.ts';
import { usageFault } from '../output/reportFault.ts';
import { rightsOfNode, rightsOfRoot } from './unitRights.ts';

/** `statecron print`: files for whoever runs nodes. */
export function addPrintCommand(program: Command): void {
  const print = program
    .command('print')
    .description('Print a file for systemd, Docker, Prometheus, Grafana, your shell or man.')
    .addArgument(new Argument('<what>').choices([...Object.keys(templates), 'completion', 'man']))
    .addArgument(new Argument('[shell]', 'of the completion').choices(shells))
    .option(
      '--allow-user <name>',
      'of the unit: a user that jobs may run as; the node runs as root then; repeatable',
      collect,
    );
  addExamples(
    print,
    `
  $ statecron print unit >/etc/systemd/system/statecron.service
  $ statecron print unit --allow-user backup --allow-user www-data      jobs run as these users
  $ statecron print dockerfile >Dockerfile && statecron print compose >compose.yaml
  $ statecron print alerts >/etc/prometheus/statecron-alerts.yaml
  $ statecron print dashboard >statecron-dashboard.json      to be imported into Grafana
  $ eval "$(statecron print completion bash)"                completes what you type
  $ statecron print man | man --local-file -                 what "man statecron" shows
The first lines of each say what else it takes.`,
  );
  print.action(async (what: Printed, shell: string | undefined, options: PrintOptions) => {
    const { writeOut } = await import('../output/print.ts');
    const { allowUser = [] } = options;
    if ((what === 'completion') !== (shell !== undefined)) throw shellFault(what);
    if (allowUser.length > 0) await requireUnitOf(what, allowUser);
    if (what === 'completion') await writeOut(readText(`completion.${shell}`));
    else if (what !== 'man') await writeOut(printTemplate(what, allowUser));
    else await writeOut((await import('./manPage.ts')).manPage(program, packageVersion()));
  });
}

type Printed = keyof typeof templates | 'completion' | 'man';

interface PrintOptions {
  readonly allowUser?: readonly string[];
}

const shells = ['bash', 'zsh', 'fish'];

function shellFault(what: string): OperatorError {
  return what === 'completion'
    ? usageFault('print completion needs a shell.', `Give one of: ${shells.join(', ')}.`)
    : usageFault(`print ${what} takes no shell.`, 'Only "print completion" takes one.');
}

async function requireUnitOf(what: string, users: readonly string[]): Promise<void> {
  if (what !== 'unit') {
    throw usageFault(`print ${what} takes no --allow-user.`, 'Only "print unit" takes it.');
  }
  for (const user of users) {
    const fault = checkUserName(user);
    if (fault !== null) throw usageFault(`--allow-user: ${fault}.`, 'See: statecron print --help');
  }
  const { warnOfUnknownUsers } = await import('../jobs/startsAsUser.ts');
  const unknown = warnOfUnknownUsers(
    users.map((user) => ({ user })),
    readUsers(),
  );
  if (unknown !== null) printWarning(unknown);
}

/** What can be printed, and the file in `print/` that it is made of. */
export const templates = {
  unit: 'statecron.service',
  dockerfile: 'Dockerfile',
  compose: 'compose.yaml',
  alerts: 'alerts.yaml',
  dashboard: 'dashboard.json',
} as const;

/**
 * The file, for this installation: where Node and this program are, and its version.
 * @param users of jobs that the unit's node allows; it is root when there are any
 */
export function printTemplate(what: keyof typeof templates, users: readonly string[] = []): string {
  const [, program = ''] = process.argv;
  const { made, said, settings, user } = users.length > 0 ? rightsOfRoot : rightsOfNode;
  return readText(templates[what])
    .replaceAll('@USER_MADE@', made)
    .replaceAll('@RIGHTS_SAID@', said)
    .replaceAll('@RIGHTS@', settings)
    .replaceAll('@USER@', user)
    .replaceAll('@FLAGS@', users.map((name) => ` --allow-user ${name}`).join(''))
    .replaceAll('@SOCKET@', () => unitWord(fileURLToPath(socketProgram)))
    .replaceAll('@NODE@', () => unitWord(process.execPath))
    .replaceAll('@PROGRAM@', () => unitWord(resolve(program)))
    .replaceAll('@VERSION@', () => packageVersion());
}

function readText(name: string): string {
  return readFileSync(programFile(`src/cli/print/${name}`), 'utf8');
}

/** Perl, which becomes what stands behind it. */
const socketProgram = programFile('src/exec/perl/serviceSocket.pl');

/** A word of ExecStart: `%` and `$` mean something there, and blanks end a word. */
function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', () => '$$');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replace(/["\\]/g, '\\$&')}"` : escaped;
}
