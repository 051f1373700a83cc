import { escapeControls } from '../escapeControls.ts';
import { printNote } from '../print.ts';
import { wrapWords } from './wrapWords.ts';

/** Says something that is no data, in lines that the terminal has room for; elsewhere in one. */
export function printWrapped(text: string): void {
  const { columns, isTTY } = process.stderr;
  const width = isTTY ? (columns || 80) - indent.length : Number.POSITIVE_INFINITY;
  const pieces = [{ text: escapeControls(text), before: '', after: '' }];
  for (const [at, line] of wrapWords(pieces, width).entries()) {
    printNote(at === 0 ? line : `${indent}${line}`);
  }
}

const indent = '  ';
