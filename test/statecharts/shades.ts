import type { Meaning } from './stateMeaning.ts';
import type { Tone } from './textBlock.ts';

/** A colour on light paper and on dark paper. */
type Pair = readonly [light: string, dark: string];

interface Shade {
  readonly fill: Pair;
  /** Of a state that has children, a little fainter so that they stand out. */
  readonly area: Pair;
  readonly line: Pair;
  readonly says: string;
}

export const shades: Readonly<Record<Meaning, Shade>> = {
  rest: {
    fill: ['#ffffff', '#1d222a'],
    area: ['#ffffff', '#1a1e25'],
    line: ['#a9b1bd', '#6b7584'],
    says: 'waits',
  },
  prepare: {
    fill: ['#edf3fd', '#1b2a42'],
    area: ['#f6f9fe', '#172132'],
    line: ['#5f8fd9', '#6d9be0'],
    says: 'prepared: nothing runs yet',
  },
  work: {
    fill: ['#e8f6ee', '#17332a'],
    area: ['#f4fbf7', '#152722'],
    line: ['#3f9d6d', '#4fae7e'],
    says: 'at work',
  },
  drain: {
    fill: ['#f2eefb', '#2a2440'],
    area: ['#f9f7fd', '#211d31'],
    line: ['#8f78c9', '#a08bd6'],
    says: 'winds down',
  },
  doubt: {
    fill: ['#fdf3df', '#3a2d13'],
    area: ['#fef9ee', '#2b2313'],
    line: ['#cf9430', '#d6a145'],
    says: 'outcome not known yet',
  },
  end: {
    fill: ['#eeeff2', '#2a2f37'],
    area: ['#f7f7f9', '#23272e'],
    line: ['#59626f', '#98a2b0'],
    says: 'ended',
  },
  fenced: {
    fill: ['#fcebe9', '#401f1d'],
    area: ['#fdf5f4', '#2f1a19'],
    line: ['#c9524a', '#df746c'],
    says: 'fenced or broken',
  },
};

const tones: Readonly<Record<Tone, Pair>> = {
  strong: ['#1f2733', '#edf0f4'],
  plain: ['#3d4756', '#c3cad4'],
  muted: ['#5d6674', '#9fa9b6'],
};

/** The drawing brings its own paper, so that it reads on light pages and on dark ones. */
const papers = {
  paper: ['#fbfaf7', '#14171c'],
  edge: ['#ddd8cc', '#343b46'],
  label: ['#ffffff', '#1a1e25'],
  arrow: ['#7b8492', '#8792a1'],
} as const satisfies Readonly<Record<string, Pair>>;

/** The name of a colour in the drawing's style sheet. */
export type Colour = keyof typeof papers | Tone | `${Meaning}-${'fill' | 'area' | 'line'}`;

/** A colour as a value of an attribute. */
export function colour(name: Colour): string {
  return `var(--${name})`;
}

/** Each colour as a custom property: its reader says whether the paper is light or dark. */
export function colourProperties(): string {
  const pairs: [string, Pair][] = [
    ...Object.entries(papers),
    ...Object.entries(tones),
    ...Object.entries(shades).flatMap(([meaning, { area, fill, line }]) =>
      Object.entries({ fill, area, line }).map(([part, pair]): [string, Pair] => [
        `${meaning}-${part}`,
        pair,
      ]),
    ),
  ];
  const set = ([name, [light, dark]]: [string, Pair]) => `--${name}:light-dark(${light},${dark})`;
  return pairs.map(set).join(';');
}

export const fontStack =
  "system-ui, -apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', Arial, sans-serif";
