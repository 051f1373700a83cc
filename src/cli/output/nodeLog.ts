import { isoInZone } from '../../domain/schedule/placeInZone.ts';
import { safeJson } from './escapeControls.ts';
import { localTimezone } from './formatInstant.ts';
import { printNote } from './print.ts';

/** As programs that read logs have them. */
const levels = { info: 30, warn: 40, error: 50 } as const;

/** The log of a node, one line for each call. */
export type NodeLog = Readonly<Record<keyof typeof levels, (text: string) => void>>;

/**
 * Writes a line of a node's or its guardian's log to stderr, with the time: for people on a
 * terminal, in its time zone; JSON in UTC for everything else.
 */
export function writeNodeLog(text: string, level: keyof typeof levels = 'info'): void {
  const now = new Date();
  if (process.stderr.isTTY) {
    const mark = level === 'info' ? '' : '! ';
    printNote(`${isoInZone(now.getTime(), localTimezone())} ${mark}${text}`);
    return;
  }
  const line = { level: levels[level], time: now.toISOString(), msg: text };
  process.stderr.write(`${safeJson(line)}\n`);
}

export const nodeLog: NodeLog = {
  info: (text) => writeNodeLog(text),
  warn: (text) => writeNodeLog(text, 'warn'),
  error: (text) => writeNodeLog(text, 'error'),
};
