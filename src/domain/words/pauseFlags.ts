import type { JobFlag } from './jobFlag.ts';

/**
 * What a new job is made with besides its definition: a pause is no part of that, so that it can be
 * made and ended without another one.
 */
export const pauseFlags: readonly JobFlag[] = [
  {
    ...{ flag: 'paused', value: '', kind: 'switch', heading: 'What it is:' },
    text: 'its schedule rests until it is resumed',
  },
  {
    ...{ flag: 'paused-until', value: 'instant', kind: 'text', heading: 'What it is:' },
    text: 'its schedule rests until then, e.g. 2030-01-31T09:30:00Z',
  },
];
