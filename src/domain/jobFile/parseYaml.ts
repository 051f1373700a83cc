import {
  type Alias,
  type Document,
  isAlias,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';

/** A text of YAML as it was parsed. */
export interface ParsedYaml {
  readonly contents: unknown;
  /** Null: it is YAML; else nothing of it counts. */
  readonly errors: readonly FileFault[];
  /** Of what may have been meant otherwise. */
  readonly warnings: readonly FileFault[];
  /** What an alias stands for, and any other node itself. */
  resolve(node: unknown): unknown;
  lineOf(node: unknown): number;
}

/** No more faults are reported. */
export const faultsMax = 1_000;

/**
 * Parses a text in a time that grows as its length does. Whoever may request a plan sends one, and
 * a node does nothing else meanwhile, its heartbeats neither. Three habits of the parser's go with
 * the square of the length, so that they are left out and, where they are wanted, done in one pass:
 * it compares a key with all those before it, looks through the whole for each alias, and copies
 * the line for each error. Keys are for the reader to compare.
 */
export function parseYaml(text: string): ParsedYaml {
  const counter = new LineCounter();
  const document = parseLean(text, counter);
  const faultOf = ({ message, pos }: Document['warnings'][number]): FileFault => {
    const [what = 'it is no YAML'] = message.split('\n', 1);
    return { line: counter.linePos(pos[0]).line, job: null, message: what };
  };
  const lineOf = (node: unknown): number => {
    const offset = (node as { range?: readonly number[] | null } | null)?.range?.[0];
    return offset === undefined ? 1 : counter.linePos(offset).line;
  };
  const { meant, unknown } = findMeant(document);
  const nothing = unknown.map((alias): FileFault => {
    return { line: lineOf(alias), job: null, message: `*${alias.source} stands for nothing here` };
  });
  return {
    contents: document.contents,
    errors: [...document.errors.map(faultOf), ...nothing].slice(0, faultsMax),
    warnings: document.warnings.slice(0, faultsMax).map(faultOf),
    resolve: (node) => (isAlias(node) ? meant.get(node) : node),
    lineOf,
  };
}

/** An alias stands for what was last called so before it. */
function findMeant(document: Document) {
  const meant = new Map<Alias, Node>();
  const unknown: Alias[] = [];
  const anchored = new Map<string, Node>();
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const found = anchored.get(node.source);
      if (found === undefined) unknown.push(node);
      else meant.set(node, found);
    },
  });
  return { meant, unknown };
}

/** Each fault is an error with its stack, and a quarter of a million of those cost seconds. */
function parseLean(text: string, lineCounter: LineCounter): Document {
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false } as const;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, { ...options, lineCounter });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * So many brackets may stand open in a text, and so many lists begin in one line. A file of jobs
 * needs five; what is more is in texts, such as commands.
 */
const openMax = 1_000;
const marksMax = 100;

/**
 * Whether a text of YAML would be nested more deeply than its reader bears. That one calls itself
 * for each level: a quarter of a megabyte of `[` does not end in an error that could be caught, but
 * ends the process. The look is a rough one, as quotes are not distinguished, and costs one pass.
 */
export function isTooDeep(text: string): boolean {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') open += 1;
    else if ((character === ']' || character === '}') && open > 0) open -= 1;
    if (open > openMax) return true;
  }
  return text.split('\n').some((line) => marksOf(line) > marksMax);
}

/** How many marks of lists and keys, `-`, `?` and `:`, begin a line: each is a level. */
function marksOf(line: string): number {
  let marks = 0;
  for (const word of line.split(/[ \t\r]+/)) {
    if (word === '-' || word === '?' || word === ':') marks += 1;
    else if (word !== '') break;
  }
  return marks;
}

/** What is wrong with a file of jobs, and where. */
export interface FileFault {
  readonly line: number;
  /** The job, or null when it is about the file. */
  readonly job: string | null;
  readonly message: string;
}
