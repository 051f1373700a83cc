/** Which order a list may have: each is that of an index, forwards or (with `-`) backwards. */
export const jobSorts = ['name', '-name', 'created', '-created'] as const;

type JobSort = (typeof jobSorts)[number];

/** Conditions on the jobs of a list: those are shown that meet every one that is given. */
interface JobConditions {
  /** Their name has this in it. */
  readonly text?: string;
  /** Their name begins with this. */
  readonly prefix?: string;
  /** They have one of these names. */
  readonly names?: readonly string[];
  /** They belong to one of these namespaces; `default`: to none other. */
  readonly groups?: readonly string[];
  /** They have every one of these tags. */
  readonly tags?: readonly string[];
  readonly isPaused?: boolean;
}

export interface JobPageQuery extends JobConditions {
  readonly sort: JobSort;
  /** Where the page before ended: its `next`. */
  readonly after: string | null;
  readonly jobsMax: number;
  /** The definitions of a page together, but for the first one. */
  readonly definitionBytesMax: number;
}
