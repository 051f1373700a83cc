import { escapeControls } from '../escapeControls.ts';
import { printLine } from '../print.ts';
import { wrapWords } from './wrapWords.ts';

/**
 * Prints names and values in two columns, leaving out what has no value. Sentences are those that a
 * narrow terminal gets in lines; what may be copied stays in one.
 */
export function printFields(
  fields: readonly (readonly [string, string | null])[],
  sentences: readonly string[] = [],
): void {
  const shown = fields.filter((field): field is readonly [string, string] => field[1] !== null);
  const width = shown.reduce((most, [name]) => Math.max(most, name.length), 0);
  const { columns, isTTY } = process.stdout;
  const room = isTTY ? (columns || 80) - width - 2 : Number.POSITIVE_INFINITY;
  for (const [name, value] of shown) {
    const piece = { text: escapeControls(value), before: '', after: '' };
    const lines = sentences.includes(name) ? wrapWords([piece], room) : [value];
    for (const [at, line] of lines.entries())
      printLine(`${(at === 0 ? name : '').padEnd(width)}  ${line}`);
  }
}
