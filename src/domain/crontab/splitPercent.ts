/**
 * Splits a command as cron does: the first `%` that no backslash stands before ends it, and what
 * follows is its standard input, in which each further `%` is a newline. `\%` is a percent sign;
 * any other backslash stays. The rules, and the newline that is added at the end of the input, are
 * those of cronie's do_command.c.
 */
export function splitPercent(text: string): {
  readonly command: string;
  readonly stdin: string | null;
} {
  let command = '';
  let isEscaped = false;
  for (const [index, character] of [...text].entries()) {
    if (isEscaped) {
      command = character === '%' ? `${command.slice(0, -1)}%` : command + character;
      isEscaped = false;
      continue;
    }
    if (character === '%') {
      return { command, stdin: readInput([...text].slice(index + 1)) };
    }
    isEscaped = character === '\\';
    command += character;
  }
  return { command, stdin: null };
}

function readInput(characters: readonly string[]): string {
  let input = '';
  let isEscaped = false;
  for (const character of characters) {
    const meant = !isEscaped && character === '%' ? '\n' : character;
    if (isEscaped && character !== '%') input += '\\';
    isEscaped = character === '\\';
    if (!isEscaped) input += meant;
  }
  if (isEscaped) input += '\\';
  return input === '' || input.endsWith('\n') ? input : `${input}\n`;
}
