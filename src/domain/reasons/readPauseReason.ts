import { shellWord } from '../text/quoteForShell.ts';
import { pausedByStart, togetherStart } from './reasons.ts';

/** What the reason of a pause says. */
export interface PauseReason {
  /** Who made it; `''`: nobody is named. */
  readonly by: string;
  /** Why, for others to read; of a pause that a node made, all that its reason says. */
  readonly note: string;
  /** What it was made of; absent: it is not one of many jobs together. */
  readonly together?: { readonly group?: string; readonly tag?: string };
}

/** Takes a reason apart that `reasons.pausedBy` or `reasons.pausedTogether` made. */
export function readPauseReason(reason: string | null): PauseReason {
  const groups = pattern.exec(reason ?? '')?.groups;
  if (groups === undefined) return { by: '', note: reason ?? '' };
  const { all, by = '', kind, name, note = '' } = groups;
  if (all !== undefined) return { by, note, together: {} };
  if (kind === undefined || name === undefined) return { by, note };
  return { by, note, together: { [kind]: JSON.parse(name) as string } };
}

/** The command that ends it for all of its jobs; null: it is not one of many together. */
export function endOfTogether({ together }: PauseReason): string | null {
  if (together === undefined) return null;
  const [scope] = Object.entries(together);
  const flag = scope === undefined ? '--all' : `--${scope[0]} ${shellWord(scope[1])}`;
  return `statecron resume ${flag}`;
}

const scope = '(?<all>all jobs)|(?<kind>group|tag) (?<name>"(?:[^"\\\\]|\\\\.)*")';
const made = `(?:${pausedByStart}|${togetherStart}(?:${scope}) by )`;
const pattern = new RegExp(`^${made}(?<by>.*?)(?:: (?<note>.*))?$`, 's');
