/** A field of a job, as the table of `src/domain/job/fields.ts` has it: filled in by the build. */
export interface FormField {
  /** In the API. */
  readonly key: string;
  readonly flag: string;
  readonly heading: string;
  readonly help: string;
  /** What stands for its value. */
  readonly value: string;
  readonly isNeeded: boolean;
  readonly kind:
    | 'text'
    | 'list'
    | 'variables'
    | 'duration'
    | 'size'
    | 'number'
    | 'switch'
    | 'choice'
    | 'choices';
  /** Of `choice` with what each means, of `choices` as a list. */
  readonly choices: Readonly<Record<string, string>> | readonly string[] | null;
}

declare const jobFieldTable: readonly FormField[];

export const formFields: readonly FormField[] = jobFieldTable;

/** What stands before all others, in this order. */
const first = ['cron', 'timezone', 'command', 'description', 'group', 'tag'];

/** What a field is called on the page. */
export function labelOf({ flag, key }: FormField): string {
  const words = flag.replaceAll('-', ' ');
  return labels[key] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const labels: Readonly<Record<string, string>> = {
  cpuTimeMax: 'CPU time max',
  cron: 'Schedule',
  cwd: 'Working directory',
  dstFold: 'DST fold',
  dstGap: 'DST gap',
  env: 'Environment',
  secretEnv: 'Secret environment',
  stdin: 'Standard input',
  tag: 'Tags',
};

/** The fields that are shown at once, and the others by their headings. */
export function fieldGroups(): { main: FormField[]; rest: Map<string, FormField[]> } {
  const main = first.flatMap((key) => formFields.find((field) => field.key === key) ?? []);
  const rest = new Map<string, FormField[]>();
  for (const field of formFields) {
    if (first.includes(field.key)) continue;
    const name = field.heading.replace(/:$/, '');
    rest.set(name, [...(rest.get(name) ?? []), field]);
  }
  return { main, rest };
}
