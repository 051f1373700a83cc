import type { JobPolicies, Target } from '../jobPolicies.ts';

const targetBounds = {
  /** Of each list of a target. */
  namesMax: 100,
  nodeNameCharactersMax: 64,
  groupNameCharactersMax: 64,
  labelCharactersMax: 100,
  /** All labels of a node together, as JSON: the width of their column. */
  labelsCharactersMax: 1_000,
} as const;

/** What is wrong with `kind`, `target` or `group` of a definition. */
interface TargetFault {
  readonly field: 'kind' | 'target' | 'group';
  readonly message: string;
}

/** Everything that is wrong with where a job may run, and with the namespace that it stands in. */
export function checkTarget(
  definition: Pick<JobPolicies, 'kind' | 'target' | 'group'>,
): TargetFault[] {
  const { kind, target, group } = definition;
  const fault = (field: TargetFault['field'], message: string | null): TargetFault[] =>
    message === null ? [] : [{ field, message }];
  return [
    ...fault('kind', kind === undefined || kind === 'every-node' ? null : 'is not every-node'),
    ...(target === undefined ? [] : checkLists(target).map((message) => fault('target', message))),
    ...fault('group', group === undefined ? null : checkGroupName(group)),
  ].flat();
}

/** What is wrong with the name of a node or null. */
export function checkNodeName(name: string): string | null {
  return checkWord(name, targetBounds.nodeNameCharactersMax);
}

/** What is wrong with the name of a group, of nodes or of jobs, or null. */
export function checkGroupName(name: string): string | null {
  return checkWord(name, targetBounds.groupNameCharactersMax);
}

/** What is wrong with a label, `name` or `name=value`, or null. */
function checkLabel(label: string): string | null {
  const name = label.split('=', 1)[0] ?? '';
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name)) {
    const shown = JSON.stringify(label);
    return `${shown}: a label is name or name=value, the name of letters, digits, . _ / -`;
  }
  return checkWord(label, targetBounds.labelCharactersMax);
}

/** What is wrong with the labels of a node, or null. */
export function checkLabels(labels: readonly string[]): string | null {
  for (const label of labels) {
    const message = checkLabel(label);
    if (message !== null) return message;
  }
  const characters = JSON.stringify(labels).length;
  const { labelsCharactersMax } = targetBounds;
  return characters > labelsCharactersMax
    ? `the labels have ${characters} characters; ${labelsCharactersMax} are allowed`
    : null;
}

const checks: Record<keyof Target, (name: string) => string | null> = {
  nodes: checkNodeName,
  labels: checkLabel,
  groups: checkGroupName,
  excludeNodes: checkNodeName,
  excludeLabels: checkLabel,
  excludeGroups: checkGroupName,
};

/** A list that this version does not know is a fault too: it may be an exclusion. */
function checkLists(target: Target): (string | null)[] {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) {
    return ['is no object of lists'];
  }
  const lists = Object.entries(target) as [keyof Target, unknown][];
  if (lists.length === 0) return ['names nothing: take it away'];
  return lists.flatMap(([list, names]) => {
    const check = Object.hasOwn(checks, list) ? checks[list] : undefined;
    if (check === undefined) return [`has ${list}, which this version does not know`];
    if (!Array.isArray(names) || names.length === 0) return [`${list} names nothing`];
    if (names.length > targetBounds.namesMax) {
      return [`${list} has ${names.length} names; ${targetBounds.namesMax} are allowed`];
    }
    return names.map((name: unknown) => {
      const message = typeof name === 'string' ? check(name) : 'is no text';
      return message === null ? null : `${list}: ${message}`;
    });
  });
}

function checkWord(word: string, charactersMax: number): string | null {
  const shown = JSON.stringify(word.slice(0, charactersMax));
  const characters = [...word].length;
  if (characters === 0) return 'a name is empty';
  if (characters > charactersMax) {
    return `${shown}… has ${characters} characters; ${charactersMax} are allowed`;
  }
  if (word.trim() !== word) return `${shown} begins or ends with a blank`;
  return /[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(word)
    ? `${shown} has a control character in it`
    : null;
}
