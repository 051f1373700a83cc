import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Argument, type Command } from 'commander';
import type { OperatorError } from '../../domain/errors/errors.ts';
import { packageVersion } from '../connect/packageFolder.ts';
import { addExamples } from '../options/clusterOptions.ts';
import { usageFault } from '../output/reportFault.ts';

/** `statecron print`: files for whoever runs nodes. */
export function addPrintCommand(program: Command): void {
  const print = program
    .command('print')
    .description('Print a file for systemd, Docker, Prometheus, Grafana, your shell or man.')
    .addArgument(new Argument('<what>').choices([...Object.keys(templates), 'completion', 'man']))
    .addArgument(new Argument('[shell]', 'of the completion').choices(shells));
  addExamples(
    print,
    `
  $ statecron print unit >/etc/systemd/system/statecron.service
  $ statecron print dockerfile >Dockerfile && statecron print compose >compose.yaml
  $ statecron print alerts >/etc/prometheus/statecron-alerts.yaml
  $ statecron print dashboard >statecron-dashboard.json      to be imported into Grafana
  $ eval "$(statecron print completion bash)"                completes what you type
  $ statecron print man | man --local-file -                 what "man statecron" shows
The first lines of each say what else it takes.`,
  );
  print.action(async (what: Printed, shell?: string) => {
    const { writeOut } = await import('../output/print.ts');
    if ((what === 'completion') !== (shell !== undefined)) throw shellFault(what);
    if (what === 'completion') await writeOut(readText(`completion.${shell}`));
    else if (what !== 'man') await writeOut(printTemplate(what));
    else await writeOut((await import('./manPage.ts')).manPage(program, packageVersion()));
  });
}

type Printed = keyof typeof templates | 'completion' | 'man';

const shells = ['bash', 'zsh', 'fish'];

function shellFault(what: string): OperatorError {
  return what === 'completion'
    ? usageFault('print completion needs a shell.', `Give one of: ${shells.join(', ')}.`)
    : usageFault(`print ${what} takes no shell.`, 'Only "print completion" takes one.');
}

/** What can be printed, and the file in `print/` that it is made of. */
export const templates = {
  unit: 'statecron.service',
  dockerfile: 'Dockerfile',
  compose: 'compose.yaml',
  alerts: 'alerts.yaml',
  dashboard: 'dashboard.json',
} as const;

/** The file, for this installation: where Node and this program are, and its version. */
export function printTemplate(what: keyof typeof templates): string {
  const [, program = ''] = process.argv;
  return readText(templates[what])
    .replaceAll('@SOCKET@', () => unitWord(fileURLToPath(socketProgram)))
    .replaceAll('@NODE@', () => unitWord(process.execPath))
    .replaceAll('@PROGRAM@', () => unitWord(resolve(program)))
    .replaceAll('@VERSION@', () => packageVersion());
}

function readText(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

/** Perl, which becomes what stands behind it. */
const socketProgram = new URL('../../exec/perl/serviceSocket.pl', import.meta.url);

/** A word of ExecStart: `%` and `$` mean something there, and blanks end a word. */
function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', () => '$$');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replace(/["\\]/g, '\\$&')}"` : escaped;
}
