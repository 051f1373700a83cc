const bounds = {
  nodeNameCharactersMax: 64,
  groupNameCharactersMax: 64,
  labelCharactersMax: 100,
  /** All labels of a node together, as JSON: the width of their column. */
  labelsCharactersMax: 1_000,
} as const;

/** What is wrong with the name of a node or null. */
export function checkNodeName(name: string): string | null {
  return checkName(name, bounds.nodeNameCharactersMax);
}

/** What is wrong with the name of a group, of nodes or of jobs, or null. */
export function checkGroupName(name: string): string | null {
  return checkName(name, bounds.groupNameCharactersMax);
}

/** What is wrong with a label, `name` or `name=value`, or null. */
export function checkLabel(label: string): string | null {
  const name = label.split('=', 1)[0] ?? '';
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(name)) {
    const shown = JSON.stringify(label);
    return `${shown}: a label is name or name=value, the name of letters, digits, . _ / -`;
  }
  return checkName(label, bounds.labelCharactersMax);
}

/** What is wrong with the labels of a node, or null. */
export function checkLabels(labels: readonly string[]): string | null {
  for (const label of labels) {
    const message = checkLabel(label);
    if (message !== null) return message;
  }
  const characters = JSON.stringify(labels).length;
  const { labelsCharactersMax } = bounds;
  return characters > labelsCharactersMax
    ? `the labels have ${characters} characters; ${labelsCharactersMax} are allowed`
    : null;
}

function checkName(name: string, charactersMax: number): string | null {
  const shown = JSON.stringify(name.slice(0, charactersMax));
  const characters = [...name].length;
  if (characters === 0) return 'a name is empty';
  if (characters > charactersMax) {
    return `${shown}… has ${characters} characters; ${charactersMax} are allowed`;
  }
  if (name.trim() !== name) return `${shown} begins or ends with a blank`;
  return /[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(name)
    ? `${shown} has a control character in it`
    : null;
}
