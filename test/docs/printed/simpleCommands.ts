/**
 * The simple commands of a script for a shell, as words without their quotes: what stands between
 * `|`, `&&`, `;` and ends of lines. Comments and redirections are left out, and what a `$(…)` runs
 * stays part of its word.
 */
export function simpleCommands(script: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let isTarget = false;
  const end = () => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const [found] of script.replace(/\\\n\s*/g, ' ').matchAll(token)) {
    if (/^\s+$/.test(found)) found.includes('\n') && end();
    else if (found.startsWith('#')) continue;
    else if (/^[|&;()]+$/.test(found)) end();
    else if (/^\d?[<>]+&?$/.test(found)) isTarget = true;
    else if (isTarget) isTarget = false;
    else words.push(unquoted(found));
  }
  end();
  return commands;
}

/** Blanks, a comment, an operator, a redirection, a word; a quote that never ends is a letter. */
const piece = /'[^']*'|"(?:\\.|\$\([^)]*\)|[^"\\])*"|[$<]\([^)]*\)|\\.|[^\s|&;()<>]/;
const token = new RegExp(
  `\\s+|(?<=^|\\s)#[^\\n]*|\\d?[<>]+&?(?!\\()|(?:${piece.source})+|[|&;()]+`,
  'g',
);

function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, one, two, letter) => {
    return one ?? two ?? letter;
  });
}

const before = /^(?:sudo|exec|env|time|if|while|then|do|!|\{|[A-Z_]+=.*)$/;

/** The words after the name of a program where a command calls it; else null. */
export function argumentsOf(program: string, words: readonly string[]): string[] | null {
  const place = words.findIndex((word) => !before.test(word));
  return words[place] === program ? words.slice(place + 1) : null;
}
