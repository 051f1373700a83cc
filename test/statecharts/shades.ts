import type { Meaning } from './stateMeaning.ts';
import type { Tone } from './textBlock.ts';

interface Shade {
  readonly fill: string;
  /** Of a state that has children, a little fainter so that they stand out. */
  readonly area: string;
  readonly line: string;
  readonly says: string;
}

/** The drawing brings its own paper, so that it reads on light pages and on dark ones. */
export const paper = { fill: '#fbfaf7', line: '#ddd8cc', label: '#ffffff', rule: '#000000' };

export const tones: Readonly<Record<Tone, string>> = {
  strong: '#1f2733',
  plain: '#3d4756',
  muted: '#68717f',
};

export const arrowColour = '#7b8492';

export const shades: Readonly<Record<Meaning, Shade>> = {
  rest: { fill: '#ffffff', area: '#ffffff', line: '#a9b1bd', says: 'waits' },
  prepare: {
    fill: '#edf3fd',
    area: '#f6f9fe',
    line: '#5f8fd9',
    says: 'prepared: nothing runs yet',
  },
  work: { fill: '#e8f6ee', area: '#f4fbf7', line: '#3f9d6d', says: 'at work' },
  drain: { fill: '#f2eefb', area: '#f9f7fd', line: '#8f78c9', says: 'winds down' },
  doubt: { fill: '#fdf3df', area: '#fef9ee', line: '#cf9430', says: 'outcome not known yet' },
  end: { fill: '#eeeff2', area: '#f7f7f9', line: '#59626f', says: 'ended' },
  fenced: { fill: '#fcebe9', area: '#fdf5f4', line: '#c9524a', says: 'fenced or broken' },
};

export const fontStack =
  "system-ui, -apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', Arial, sans-serif";
