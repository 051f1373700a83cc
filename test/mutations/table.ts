import type { Mutation, PromiseNumber } from './mutation.ts';
import { promises } from './mutation.ts';

const begin = '<!-- mutations: written by `npm run mutations -- --write-table` -->';
const end = '<!-- end of mutations -->';

/** The mutations by promise, as Markdown, each with the test that fails of it. */
export function mutationTable(mutations: readonly Mutation[]): string {
  const numbers = Object.keys(promises) as PromiseNumber[];
  const parts = numbers.map((number) => {
    const rows = mutations
      .filter(({ promise }) => promise === number)
      .map(({ id, what, test }) => `| \`${id}\` | ${what} | ${linkTo(test)} |`);
    return [
      `**${number}** ${promises[number]}`,
      '',
      '| mutation | the broken code | the test that fails |',
      '| --- | --- | --- |',
      ...rows,
    ].join('\n');
  });
  return [begin, '', parts.join('\n\n'), '', end].join('\n');
}

/** The text with its table replaced; what stands around the marks stays as it is. */
export function withTable(text: string, table: string): string {
  const [from, until] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || until < from)
    throw new Error('test/README.md has lost the marks of its table');
  return text.slice(0, from) + table + text.slice(until + end.length);
}

function linkTo({ file, title }: Mutation['test']): string {
  const path = file.replace(/^test\//, '');
  return `${title} ([${path}](${path}))`;
}
