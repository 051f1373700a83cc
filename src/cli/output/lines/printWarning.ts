import { escapeControls } from '../escapeControls.ts';
import { printNote } from '../print.ts';
import { wrapWords } from './wrapWords.ts';

/** Warns the person at the terminal, in lines that it has room for; elsewhere in one line. */
export function printWarning(text: string): void {
  const { columns, isTTY } = process.stderr;
  const width = isTTY ? (columns || 80) - indent.length : Number.POSITIVE_INFINITY;
  const pieces = [{ text: escapeControls(`warning: ${text}`), before: '', after: '' }];
  for (const [at, line] of wrapWords(pieces, width).entries()) {
    printNote(at === 0 ? line : `${indent}${line}`);
  }
}

const indent = '  ';
