import type { Meaning } from './stateMeaning.ts';

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

/** Those of the page (`src/page/style/tokens.css`), by the names that they have there. */
const pageColours = {
  ink: ['#1f2733', '#e8ecf2'],
  plain: ['#3d4756', '#c2cad5'],
  muted: ['#5f6876', '#97a3b2'],
  paper: ['#fbfaf7', '#13171d'],
  surface: ['#ffffff', '#191e26'],
  line: ['#e3dfd4', '#29313c'],
} as const satisfies Readonly<Record<string, Pair>>;

const arrow: Pair = ['#7b8492', '#8792a1'];

/** The name of a colour: of a custom property. */
export type Colour = keyof typeof pageColours | 'arrow' | `${Meaning}-${'fill' | 'area' | 'line'}`;

/** A colour as a value of an attribute. */
export function colour(name: Colour): string {
  return `var(--${name})`;
}

/**
 * Each colour as a custom property: its reader says whether the paper is light or dark. The
 * drawing brings its own paper, so that it reads on light pages and on dark ones.
 */
export function colourProperties(): string[] {
  return [...sharedProperties(), ...ownProperties()];
}

/** How the strokes of a drawing look, by the class that they have. */
const strokes = {
  line: { fill: 'none', 'stroke-width': '1.5' },
  glyph: {
    ...{ fill: 'none', stroke: colour('plain'), 'stroke-width': '1.4' },
    ...{ 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
  },
  rule: { stroke: colour('ink'), 'stroke-opacity': '0.16' },
};

/** @param within what they are in, as a selector; '' for any place */
export function strokeRules(within: string): string[] {
  return Object.entries(strokes).map(([name, style]) => {
    const lines = Object.entries(style).map(([property, value]) => `  ${property}: ${value};\n`);
    return `${within}.${name} {\n${lines.join('')}}\n`;
  });
}

/** Those of the page's own style sheet, `src/page/style/tokens.css`. */
export const sharedProperties = (): string[] => propertiesOf(pageColours);

/** Those that the page has not by itself. */
export function ownProperties(): string[] {
  const ofMeanings = Object.entries(shades).flatMap(([meaning, { area, fill, line }]) =>
    Object.entries({ fill, area, line }).map(([part, pair]) => [`${meaning}-${part}`, pair]),
  );
  return propertiesOf({ arrow, ...Object.fromEntries(ofMeanings) });
}

function propertiesOf(pairs: Readonly<Record<string, Pair>>): string[] {
  return Object.entries(pairs).map(
    ([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark})`,
  );
}

export const fontStack =
  "system-ui, -apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', Arial, sans-serif";
