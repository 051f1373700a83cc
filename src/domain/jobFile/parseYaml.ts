import {
  type Alias,
  type Document,
  isAlias,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { FileFault } from './fileFault.ts';

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
 * Parses a text in a time that grows as its length does. Whoever may ask for a plan sends one, and
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
