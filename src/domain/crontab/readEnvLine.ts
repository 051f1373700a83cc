/**
 * Reads `NAME = value` the way that cron's load_env does: blanks around `=` do not count, name and
 * value may each stand in quotes of either kind, a backslash means nothing, and nothing is
 * expanded. Null when the line is not one.
 */
export function readEnvLine(
  line: string,
): { readonly name: string; readonly value: string } | null {
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s=]+))[ \t]*=[ \t]*(.*)$/.exec(line);
  if (match === null) return null;
  const name = match[1] ?? match[2] ?? match[3] ?? '';
  if (name === '') return null;
  const value = readValue(match[4] ?? '');
  return value === null ? null : { name, value };
}

/** After a closing quote there may be blanks only; a quote that never closes is no variable. */
function readValue(text: string): string | null {
  const quote = text.charAt(0);
  if (quote !== '"' && quote !== "'") return text.replace(/[ \t]+$/, '');
  const end = text.indexOf(quote, 1);
  if (end === -1 || text.slice(end + 1).trim() !== '') return null;
  return text.slice(1, end);
}
