const bounds = {
  nodeNameCharactersMax: 64,
  groupNameCharactersMax: 64,
  userNameCharactersMax: 32,
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

/**
 * What is wrong with the name of a user, or null. Names as `useradd` makes them: nothing that a
 * program could take for an option, for a number, or for two names.
 */
export function checkUserName(name: string): string | null {
  if (name === '') return 'is no name of a user';
  const { userNameCharactersMax } = bounds;
  if (name.length > userNameCharactersMax) {
    return `has ${name.length} characters; ${userNameCharactersMax} are allowed`;
  }
  if (/^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(name)) return null;
  return `is ${JSON.stringify(name)}: letters, digits and _ . - only, a letter or _ first`;
}

/** What is wrong with a text that is stored and given to programs, or null. */
export function checkText(text: string, bytesMax = Number.POSITIVE_INFINITY): string | null {
  if (text.includes('\0')) return 'has a NUL character in it';
  if (/\p{Surrogate}/u.test(text)) return 'is not valid Unicode';
  const bytes = new TextEncoder().encode(text).length;
  return bytes > bytesMax ? `has ${bytes} bytes; ${bytesMax} are allowed` : null;
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
