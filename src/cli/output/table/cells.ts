import { styleText } from 'node:util';
import { isoInZone } from '../../../domain/schedule/placeInZone.ts';
import { escapeControls } from '../escapeControls.ts';
import { formatAway, formatInstant, type Instant } from '../formatInstant.ts';

/** What stands in a cell where one text alone does not say it. */
export interface Cell {
  /** From the long to the short: a terminal shows the longest for which it has room. */
  readonly texts: readonly string[];
  /** What is written where there is no terminal; absent: the first text. */
  readonly piped?: string;
  readonly colour?: Colour;
}

type Colour = 'green' | 'red' | 'yellow' | 'cyan';

/** An instant: with how far away it is, without, that alone; where there is no terminal a word. */
export function instantCell(instant: Instant, timezone: string): Cell {
  if (instant === null) return { texts: ['-'] };
  const [full, away] = [formatInstant(instant, timezone), formatAway(instant)];
  return { texts: [`${full} (${away})`, full, away], piped: isoInZone(instant, timezone) };
}

/** How long ago it was; with --wide the instant, too. */
export function agoCell(instant: Instant, timezone: string, isWide: boolean): Cell {
  const cell = instantCell(instant, timezone);
  return instant === null || isWide ? cell : { ...cell, texts: [formatAway(instant)] };
}

/** An instant for a line of its own, as long as it gets. */
export function instantLine(instant: Instant, timezone: string): string {
  return shownTexts(instantCell(instant, timezone), process.stdout.isTTY)[0] ?? '';
}

/** A state or a result in the colour of what it means. */
export function stateCell(text: string, ...shorter: string[]): Cell {
  const [word = ''] = /^\w+/.exec(text) ?? [];
  const colour = colours[word];
  return { texts: [text, ...shorter], ...(colour === undefined ? {} : { colour }) };
}

const colours: Readonly<Record<string, Colour>> = {
  ...{ passed: 'green', succeeded: 'green', live: 'green', ok: 'green', sent: 'green' },
  ...{ failed: 'red', timed_out: 'red', spawn_failed: 'red', lost: 'red', FAIL: 'red' },
  ...{ cannot: 'red', given: 'red', BROKEN: 'red', fault: 'red', remove: 'red', ended: 'yellow' },
  ...{ skipped: 'yellow', missed: 'yellow', stopped: 'yellow', paused: 'yellow', warn: 'yellow' },
  ...{
    warning: 'yellow',
    draining: 'yellow',
    silent: 'yellow',
    cordoned: 'yellow',
    executing: 'cyan',
    running: 'cyan',
  },
};

/** NO_COLOR, FORCE_COLOR and TERM=dumb are respected. */
export function paint(text: string, colour: Colour | undefined): string {
  return colour === undefined || text === '' ? text : styleText(colour, text);
}

/** The texts that can be shown of a cell, with nothing in them that moves the cursor. */
export function shownTexts(cell: string | Cell, isTerminal: boolean): readonly string[] {
  if (typeof cell === 'string') return [escapeControls(cell)];
  const { texts, piped = texts[0] ?? '' } = cell;
  return (isTerminal ? texts : [piped]).map(escapeControls);
}
