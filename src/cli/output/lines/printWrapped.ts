import { escapeControls } from '../escapeControls.ts';
import { printLine, printNote } from '../print.ts';
import { wrapWords } from './wrapWords.ts';

/**
 * Says something that is no data, in lines that the terminal has room for; elsewhere in one.
 * @param to where it stands: beside data that is for people
 */
export function printWrapped(text: string, to: 'stderr' | 'stdout' = 'stderr'): void {
  const { columns, isTTY } = process[to];
  const print = to === 'stdout' ? printLine : printNote;
  const width = isTTY ? (columns || 80) - indent.length : Number.POSITIVE_INFINITY;
  const pieces = [{ text: escapeControls(text), before: '', after: '' }];
  for (const [at, line] of wrapWords(pieces, width).entries()) {
    print(at === 0 ? line : `${indent}${line}`);
  }
}

const indent = '  ';
