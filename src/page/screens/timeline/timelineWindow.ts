import { changeQuery } from '../../state/place.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a range is shown, by what the URL says; without a word it is a day. */
const windowsMs = {
  '10m': 10 * minuteMs,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
} as const;
type WindowName = keyof typeof windowsMs;

export const windowChoices: Readonly<Record<WindowName, string>> = {
  ...{ '10m': '10 minutes', '1h': 'an hour', '6h': '6 hours', '': 'a day' },
  ...{ '7d': '7 days', '30d': '30 days' },
};

/** So much of the range lies ahead, where it is that of the present. */
const aheadShare = 1 / 8;

export interface ShownWindow {
  readonly name: WindowName;
  readonly lengthMs: number;
  /** Null: it moves with the present. */
  readonly untilMs: number | null;
}

export function readWindow(query: URLSearchParams): ShownWindow {
  const asked = query.get('window') ?? '';
  const name = asked in windowsMs ? (asked as WindowName) : '';
  const untilMs = Date.parse(query.get('until') ?? '');
  return { name, lengthMs: windowsMs[name], untilMs: Number.isNaN(untilMs) ? null : untilMs };
}

/** Where the range ends, as the API is asked. */
export function endOf({ lengthMs, untilMs }: ShownWindow, nowMs: number): number {
  return untilMs ?? nowMs + lengthMs * aheadShare;
}

/** Moves by half of the range; the present is come back to by `showPresent`. */
export function moveWindow(shown: ShownWindow, direction: -1 | 1, nowMs: number): void {
  const untilMs = endOf(shown, nowMs) + (direction * shown.lengthMs) / 2;
  changeQuery({ until: new Date(Math.round(untilMs)).toISOString() });
}

export function showPresent(): void {
  changeQuery({ until: undefined });
}

/** The end of a range of another length around what is shown; that of the present stays there. */
export function endAround({ lengthMs, untilMs }: ShownWindow, name: string) {
  if (untilMs === null) return {};
  const middleMs = untilMs - lengthMs / 2;
  return {
    until: new Date(Math.round(middleMs + windowsMs[name as WindowName] / 2)).toISOString(),
  };
}

/** The next shorter range, with an instant in its middle. */
export function zoomTo({ name }: ShownWindow, ms: number): void {
  const names = Object.keys(windowsMs) as WindowName[];
  names.sort((a, b) => windowsMs[a] - windowsMs[b]);
  const shorter = names[Math.max(0, names.indexOf(name) - 1)] ?? name;
  const untilMs = ms + windowsMs[shorter] / 2;
  changeQuery({
    window: shorter === '' ? undefined : shorter,
    until: new Date(Math.round(untilMs)).toISOString(),
  });
}
