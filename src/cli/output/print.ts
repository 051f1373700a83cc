import { once } from 'node:events';
import { counted } from '../../domain/text/counted.ts';
import { escapeControls, safeJson } from './escapeControls.ts';
import { TerminalText } from './terminalText.ts';

/** Prints a line of text that may come from anywhere. */
export function printLine(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

/** Says something to the person at the terminal that is no data. */
export function printNote(text: string): void {
  process.stderr.write(`${escapeControls(text)}\n`);
}

/** Says that a list ends where its limit does. */
export function printLimitNote(shown: number): void {
  printNote(`Only ${counted(shown, 'is', 'are')} shown; see --limit.`);
}

/** Prints one value as indented JSON. */
export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value, 2)}\n`);
}

/** Prints a JSON array, an element a line, as its elements come. */
export async function printJsonArray(
  values: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> {
  let before = '[\n';
  for await (const value of values) {
    await writeOut(`${before}${safeJson(value)}`);
    before = ',\n';
  }
  await writeOut(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Writes to stdout no faster than its reader reads. */
export async function writeOut(data: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(data)) await once(process.stdout, 'drain');
}

/**
 * Writes what a job wrote, or what others gave jobs to say: byte for byte into a file or a pipe,
 * and to a terminal so that it can do nothing there (`TerminalText`), unless it is to be raw.
 */
export class ForeignOutput {
  readonly #shown: TerminalText | null;

  constructor(isRaw = false) {
    this.#shown = isRaw || process.stdout.isTTY !== true ? null : new TerminalText();
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeOut(this.#shown?.take(bytes) ?? bytes);
  }

  async end(bytes?: Uint8Array | null): Promise<void> {
    if (bytes) await this.write(bytes);
    if (this.#shown !== null) await writeOut(this.#shown.end());
  }
}

/** An instant in UTC with milliseconds, or null. */
export function isoOf(instantMs: number | null): string | null {
  return instantMs === null ? null : new Date(instantMs).toISOString();
}
