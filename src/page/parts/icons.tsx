import type { JSX } from 'preact';

/** What an icon draws, in a square of 16 pixels, by lines of the text's colour. */
const shapes = {
  add: 'M8 3v10M3 8h10',
  audit: 'M4 2.5h8v11H4zM6.2 5.5h3.6m-3.6 2.5h3.6m-3.6 2.5h2',
  back: 'M10 3 5 8l5 5',
  bell: 'M3.5 11.5h9c-1-1-1.2-2-1.2-4.2a3.3 3.3 0 0 0-6.6 0c0 2.2-.2 3.2-1.2 4.2M6.8 13.5h2.4',
  close: 'm4 4 8 8m0-8-8 8',
  cluster: 'M3 3h10v4H3zm0 6h10v4H3zm2.2-4h.1m-.1 6h.1',
  download: 'M8 2.5v7m0 0L5 6.7m3 2.8 3-2.8M3 13h10',
  edit: 'm3 13 .6-2.8 7.5-7.5a1 1 0 0 1 1.4 0l.8.8a1 1 0 0 1 0 1.4L5.8 12.4z',
  groups: 'M2.5 2.5h11v11h-11zM5 5h2.5v2.5H5zm3.5 3.5H11V11H8.5z',
  help: 'M6.2 6a1.9 1.9 0 1 1 2.6 1.8C8 8 8 9 8 9m0 2.2v.1M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2',
  jobs: 'M2.5 4h1m2 0h8m-11 4h1m2 0h8m-11 4h1m2 0h8',
  leave: 'M6.5 3H4a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h2.5M10 5l3 3-3 3m3-3H6.5',
  limits: 'M2.5 12a5.5 5.5 0 1 1 11 0M8 12l2.8-4.2',
  machines: 'M2.5 2.5H7v4H2.5zm6.5 7h4.5v4H9zM7 4.5h4.2v5M4.8 6.5v5H9',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  moon: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6z',
  mute: 'M3.5 11.5h9c-1-1-1.2-2-1.2-4.2a3.3 3.3 0 0 0-6.6 0c0 2.2-.2 3.2-1.2 4.2M2.5 2.5l11 11',
  now: 'M1.5 8.5h3l2-5 3 9 2-4h3',
  pause: 'M5.5 3.5v9m5-9v9',
  plan: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6.2 9.5h3.6M8 7.7v3.6',
  play: 'M4.5 3v10l8-5z',
  remove: 'M2.5 4.5h11m-7-2h3M4 4.5l.6 8.5h6.8l.6-8.5M6.7 7v3.7M9.3 7v3.7',
  restore: 'M2.8 7.2A5.3 5.3 0 1 1 3.6 11M2.5 3.5v3.7h3.7',
  resume: 'M4 3.5v9m3.5-9v9l6-4.5z',
  retry: 'M13.2 7.2A5.3 5.3 0 1 0 12.4 11m1.1-7.5v3.7H9.8',
  runs: 'M8 2a6 6 0 1 0 .1 0M6.6 5.4v5.2L10.8 8z',
  search: 'm10.3 10.3 3.2 3.2M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9',
  snow:
    'M8 1.5v13M2.4 4.8l11.2 6.4m0-6.4L2.4 11.2M6.2 2.7 8 4.5l1.8-1.8m-3.6 10.6L8 11.5l1.8 1.8' +
    'M2.2 7.4l2.6-.7-.7-2.6m9.7 4.5-2.6.7.7 2.6m1.9-4.5-2.6-.7.7-2.6M2.2 8.6l2.6.7-.7 2.6',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5a3 3 0 1 0 .1 0M8 1v1m0 12v1m7-7h-1M2 8H1m2-5 1 1m8 8 1 1m0-10-1 1m-8 8-1 1',
  timeline: 'M2.5 3v10.5h11M5 5.5h4m-2 3h5m-6 3h3',
  tokens: 'M6 7.5a3 3 0 1 0 .1 0M8.2 8.4l4.8-4.9m-1.8 1.8 1.8 1.8',
  upcoming: 'M2.5 3.5h11v10h-11zm0 3h11M5.5 2v2.5m5-2.5v2.5M6 10h4m0 0L8.6 8.6M10 10l-1.4 1.4',
  verify: 'M8 1.8 13 3.6v4c0 3.2-2.1 5.3-5 6.6-2.9-1.3-5-3.4-5-6.6v-4zM5.7 7.9l1.7 1.7 3-3.2',
  wrap: 'M2.5 4h11m-11 4h8.2a2 2 0 0 1 0 4H8.5m0 0 1.6-1.6M8.5 12l1.6 1.6M2.5 12h3',
} as const;

export type IconName = keyof typeof shapes;

/** A picture beside a word, which says the same: it is not read out. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
