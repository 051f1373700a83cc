import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../connect/packageFolder.ts';

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
  const text = readFileSync(new URL(`./${templates[what]}`, import.meta.url), 'utf8');
  const [, program = ''] = process.argv;
  return text
    .replaceAll('@SOCKET@', () => unitWord(fileURLToPath(socketProgram)))
    .replaceAll('@NODE@', () => unitWord(process.execPath))
    .replaceAll('@PROGRAM@', () => unitWord(resolve(program)))
    .replaceAll('@VERSION@', () => packageVersion());
}

/** Perl, which becomes what stands behind it. */
const socketProgram = new URL('../../exec/perl/serviceSocket.pl', import.meta.url);

/** A word of ExecStart: `%` and `$` mean something there, and blanks end a word. */
function unitWord(text: string): string {
  const escaped = text.replaceAll('%', '%%').replaceAll('$', () => '$$');
  return /[\s"'\\;]/.test(escaped) ? `"${escaped.replace(/["\\]/g, '\\$&')}"` : escaped;
}
