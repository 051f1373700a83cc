/** What is taken of the page, by the names of the files in `docs/pictures`. */
export interface Picture {
  /** Behind `#/`. */
  readonly path: string;
  readonly colours: 'light' | 'dark';
  /** In pixels of the page. */
  readonly width: number;
  readonly height: number;
  /** A text that is there when it shows what it has. */
  readonly shows: string;
}

const jobs = { path: 'jobs', width: 1_280, height: 580, shows: 'cannot run' } as const;

export const pictures: Readonly<Record<string, Picture>> = {
  'jobs-light.png': { ...jobs, colours: 'light' },
  'jobs-dark.png': { ...jobs, colours: 'dark' },
  'timeline.png': {
    ...{ path: 'timeline', colours: 'light', width: 1_280, height: 580 },
    shows: 'sync-stock',
  },
  'job.png': {
    ...{ path: 'jobs/close-day?why=open', colours: 'light', width: 1_280, height: 628 },
    shows: 'send-invoices',
  },
};

/** So many pixels of a file are one of the page: sharp on most screens, and small enough. */
export const pixelsEach = 1.5;

/** All of them together, as they are in the repository. */
export const bytesMax = 500 * 1024;
