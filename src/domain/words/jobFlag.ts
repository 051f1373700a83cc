/** How the text of a flag is read. `list` may be repeated; `switch` has no value. */
type FlagKind =
  | { readonly kind: 'text' | 'list' | 'variables' | 'duration' | 'size' | 'switch' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice' | 'choices'; readonly choices: readonly string[] };

/** One word of a job: the flag of `job add` and `job edit`, and the key in a file of jobs. */
export type JobFlag = FlagKind & {
  readonly flag: string;
  /** What stands for its value in the help. */
  readonly value: string;
  readonly text: string;
  /** Under which heading of the help. */
  readonly heading: string;
  /** What `--no-…` of `job edit` comes to; without it, a value stands for the absence. */
  readonly without?: string;
};
