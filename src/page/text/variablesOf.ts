/** The variables of lines `NAME=value`; a line without a `=` is a name with no value. */
export function variablesOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1)];
    }),
  );
}

/** The same the other way. */
export function linesOf(variables: object): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
