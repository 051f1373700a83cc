import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../shipped/shippedFiles.ts';
import { readMarkdown } from './readMarkdown.ts';
import { wordsOf } from './readSpans.ts';

/** A page of the documentation. */
export interface Topic {
  /** Its file's name without `.md`. */
  readonly name: string;
  /** What it is about, in a line. */
  readonly summary: string;
  /** As it is written, in Markdown. */
  readonly text: string;
}

export interface Guide {
  /** The page that lists the others, in Markdown. */
  readonly index: string;
  readonly topics: readonly Topic[];
  /** The pictures of the pages, by the names of their files. */
  readonly pictures: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

let guide: Guide | null = null;

/**
 * The pages of the documentation, in the order of the table in `docs/README.md`, which has a line
 * for each. Read once, by a node before it serves: later the files of another version may stand
 * there. Where an installation is without them, it has no topics.
 */
export function readGuide(): Guide {
  guide ??= readPages();
  return guide;
}

function readPages(): Guide {
  const folder = packageFile('docs/');
  if (!existsSync(folder)) return { index: '', topics: [], pictures: new Map() };
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
  const index = read('README.md');
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const topics = listedIn(index)
    .filter(({ name }) => names.includes(`${name}.md`))
    .map((topic) => ({ ...topic, text: read(`${topic.name}.md`) }));
  const files = topics.flatMap(({ text }) =>
    [...text.matchAll(/!\[[^\]]*\]\(([^)\s]+\.(?:svg|png))\)/g)].map(([, from = '']) => from),
  );
  const found = [...new Set(files)].filter((file) => existsSync(new URL(file, folder)));
  const pictures = found.map((file) => {
    return [
      file.replace(/^.*\//, ''),
      new Uint8Array(readFileSync(new URL(file, folder))),
    ] as const;
  });
  return { index, topics, pictures: new Map(pictures) };
}

/** The rows of the table in the index: a link to a page, and what it is about. */
function listedIn(index: string): { name: string; summary: string }[] {
  return readMarkdown(index).flatMap((block) => {
    if (block.kind !== 'table') return [];
    return block.rows.flatMap(([first = [], about = []]) => {
      const [link] = first;
      const name = link?.kind === 'link' ? /^([\w-]+)\.md$/.exec(link.to)?.[1] : undefined;
      return name === undefined ? [] : [{ name, summary: wordsOf(about) }];
    });
  });
}
