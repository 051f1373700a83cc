interface CommandPlace {
  /** Where the page shows what the command shows. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  readonly word: string;
}

/** Commands that the node's texts name, up to the name of what they are about. */
const places: Readonly<Record<string, (name: string) => CommandPlace>> = {
  'job show': (job) => ({ path: ['jobs', job], word: 'Show the job' }),
  'runs --job': (job) => ({ path: ['runs'], query: { job }, word: 'Show its runs' }),
  'run show': (run) => ({ path: ['runs', run], word: 'Show the run' }),
  'run log': (run) => ({ path: ['runs', run], word: 'Show its output' }),
  'notify log': (target) => ({
    ...{ path: ['notifications'], query: { target }, word: `Show what was sent to ${target}` },
  }),
};
/** The same of commands that name nothing. */
const lists: Readonly<Record<string, CommandPlace>> = {
  cluster: { path: ['cluster'], word: 'Show the cluster' },
  'job list': { path: ['jobs'], word: 'Show the jobs' },
  'group list': { path: ['groups'], word: 'Show the groups of nodes' },
  'limit list': { path: ['limits'], word: 'Show the limits' },
  'notify list': { path: ['notifications'], word: 'Show the targets' },
  'token list': { path: ['tokens'], word: 'Show the tokens' },
};

/** A word, or a name in the quotes of a shell. */
const name = `('(?:[^']|'\\\\'')*'|[^\\s;,()']+)`;
const named = `(${Object.keys(places).join('|')}) ${name}(?: --json)?`;
const pattern = new RegExp(
  `(?:see: )?statecron (?:${named}|(${Object.keys(lists).join('|')})\\b(?! --))`,
  'g',
);

type Piece = string | (CommandPlace & { readonly command: string });

/** A text of the node's in pieces: what it says, and the page's place of commands in it. */
export function commandPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [command, start = '', quoted = '', list = ''] = match;
    const about = quoted.startsWith("'") ? quoted.slice(1, -1).replaceAll(`'\\''`, "'") : quoted;
    const place = places[start]?.(about) ?? lists[list];
    if (place === undefined) continue;
    const before = text.slice(end, match.index);
    pieces.push(command.startsWith('see: ') ? before.replace(/; $/, '. ') : before);
    pieces.push({ ...place, command });
    end = match.index + command.length;
  }
  return [...pieces, text.slice(end)].filter((piece) => piece !== '');
}
