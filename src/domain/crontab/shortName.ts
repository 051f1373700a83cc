/** What a command starts, as far as its text shows it: for people, not for a shell. */
interface Program {
  /** As it stands in the command. */
  readonly path: string;
  readonly args: readonly string[];
}

/**
 * Short names for commands: the file name of the program or script. Where several commands start
 * the same one, the first argument in which they differ is added. They may still be equal.
 */
export function shortNames(commands: readonly string[], find = programOf): string[] {
  const programs = commands
    .map((command) => find(command))
    .map(({ path, args }): Program => {
      return { path, args: flagsLast(args) };
    });
  const byBase = new Map<string, Program[]>();
  for (const program of programs) {
    const base = baseOf(program.path);
    const same = byBase.get(base);
    if (same === undefined) byBase.set(base, [program]);
    else same.push(program);
  }
  const differsAt = new Map([...byBase].map(([base, same]) => [base, firstDifference(same)]));
  return programs.map(({ path, args }) => {
    const base = baseOf(path);
    const argument = baseOf(args[differsAt.get(base) ?? -1] ?? '').replace(/^-+/, '');
    return cut(argument === '' ? base : `${base} ${argument}`);
  });
}

const charactersMax = 40;

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  return `${characters.slice(0, charactersMax - 1).join('')}…`;
}

const argsComparedMax = 10;

function firstDifference(programs: readonly Program[]): number {
  const indexes = Array.from({ length: argsComparedMax }, (_, index) => index);
  return indexes.findIndex((index) => new Set(programs.map(({ args }) => args[index])).size > 1);
}

/** Flags say less than what follows them. */
function flagsLast(args: readonly string[]): string[] {
  const isFlag = (arg: string): boolean => arg.startsWith('-');
  return [...args.filter((arg) => !isFlag(arg)), ...args.filter(isFlag)];
}

/** Without its folder, and without what has a meaning for the shell. */
export function baseOf(path: string): string {
  const clean = path.replace(/["'`$(){}<>|;&*?!\\]+/g, '').replace(/\/+$/, '');
  return clean.slice(clean.lastIndexOf('/') + 1);
}

/**
 * The program or script that a command is about: after `cd … &&`, tests and variables, behind nice,
 * flock and the like, of an interpreter its script, and what `cat` and the like write to. Where all
 * of it only prepares, as `cd` and `sleep` do, the last.
 */
export function programOf(command: string): Program {
  const parts = partsOf(command);
  return (
    firstProgram(parts.filter((part) => !isWriting(part))) ??
    firstProgram(parts) ??
    firstProgram(parts.toReversed(), true) ??
    formerProgramOf(command)
  );
}

/** Whether it only writes a text, for the next command or for a log. */
function isWriting(part: readonly string[]): boolean {
  const program = programOfPart(part, false);
  return program !== null && /^(?:cat|date|echo|printf)$/.test(baseOf(program.path));
}

/** As versions before 0.7 did: where all of it only prepares, its first word. */
export function formerProgramOf(command: string): Program {
  const parts = partsOf(command);
  return firstProgram(parts) ?? { path: baseOf(parts.flat()[0] ?? '') || 'job', args: [] };
}

/** The words of each command in it. */
function partsOf(command: string): string[][] {
  const unredirected = command.replace(/\d*(?:>>?|<)&?\s*[^\s;&|]*/g, ' ');
  const words = unredirected.match(/(?:"[^"]*"|'[^']*'|[^\s;&|"']|["'])+|[;&|]+/g) ?? [];
  const parts: string[][] = [[]];
  for (const word of words) {
    if (/^[;&|]+$/.test(word)) parts.push([]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

function firstProgram(parts: readonly string[][], isPreparing = false): Program | null {
  for (const part of parts) {
    const program = programOfPart(part, isPreparing);
    if (program !== null && baseOf(program.path) !== '') return program;
  }
  return null;
}

/** What stands before a command and is none. */
const opening = /^(?:[({!]+|then|else|do)$/;
/** What only prepares another command. */
const preparing = /^(?:cd|test|\[|\[\[|sleep|export|\.|source|set|umask|true|:|if|exit|ulimit)$/;
/** Programs that start the one behind them, with their flags that have a value. */
const starters: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ nice: 'n', ionice: 'cnp', timeout: 'ks', flock: 'wE', sudo: 'ugh' }),
  ...Object.entries({ env: 'uC', exec: 'a', nohup: '', time: '', setsid: '', command: '' }),
  ...Object.entries({ chronic: '', cronic: '', caffeinate: '', 'systemd-cat': 'tp' }),
]);
/** These have one more word before it: a lock, a time. */
const withOperand = /^(?:flock|timeout)$/;
const shells = /^(?:ba|da|k|z)?sh$/;
const interpreters = /^(?:php|python|perl|ruby|pypy)[\d.]*$|^(?:node|nodejs|java|Rscript)$/;

function programOfPart(part: readonly string[], isPreparing: boolean): Program | null {
  const words = [...part];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (/^\w+=/.test(word) || opening.test(word)) continue;
    const base = baseOf(word);
    if (preparing.test(word) && !isPreparing) return null;
    const flagsWithValue = starters.get(base);
    if (flagsWithValue !== undefined) {
      dropFlags(words, flagsWithValue);
      if (withOperand.test(base)) words.shift();
    } else if (!shells.test(base) && !interpreters.test(base)) return { path: word, args: words };
    if (words[0] === '-c' && !/^p/.test(base)) return programOf(unquote(words[1] ?? ''));
    if (flagsWithValue !== undefined) continue;
    const flags = dropFlags(words, 'dW');
    const script = flags.some((flag) => /^-[cerE]$/.test(flag)) ? undefined : words.shift();
    return { path: script ?? word, args: words };
  }
  return null;
}

/** Takes the flags away that a list of words begins with. */
function dropFlags(words: string[], withValue: string): string[] {
  const flags: string[] = [];
  while (words[0]?.startsWith('-')) {
    const flag = words.shift() ?? '';
    flags.push(flag);
    if (flag.length === 2 && withValue.includes(flag.charAt(1))) words.shift();
  }
  return flags;
}

function unquote(word: string): string {
  return word.replace(/^(["'])([\s\S]*)\1$/, '$2');
}
