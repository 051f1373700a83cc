import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMarkdown } from '../../../src/http/guide/readMarkdown.ts';
import { readSpans, type Span } from '../../../src/http/guide/readSpans.ts';

const text = (words: string): Span => ({ kind: 'text', text: words });

test('a page is read as its headings, paragraphs, code, lists, tables and quotes', () => {
  const page = `# One \`two\`
words that
go on
<!-- left out
as a whole -->
\`\`\`yaml
# no heading

a: 1
\`\`\`
## One two

- first
  goes on

  \`\`\`
  inside
  \`\`\`
- second
1. third

| a | b |
| --- | --- |
| \`x \\| y\` | **z** |
> said
`;
  assert.deepEqual(readMarkdown(page), [
    {
      kind: 'heading',
      level: 1,
      id: 'one-two',
      spans: [text('One '), { kind: 'code', text: 'two' }],
    },
    { kind: 'paragraph', spans: [text('words that go on')] },
    { kind: 'code', info: 'yaml', text: '# no heading\n\na: 1' },
    { kind: 'heading', level: 2, id: 'one-two-1', spans: [text('One two')] },
    {
      kind: 'list',
      isNumbered: false,
      items: [
        [
          { kind: 'paragraph', spans: [text('first goes on')] },
          { kind: 'code', info: '', text: 'inside' },
        ],
        [{ kind: 'paragraph', spans: [text('second')] }],
        [{ kind: 'paragraph', spans: [text('third')] }],
      ],
    },
    {
      kind: 'table',
      headings: [[text('a')], [text('b')]],
      rows: [[[{ kind: 'code', text: 'x | y' }], [{ kind: 'strong', spans: [text('z')] }]]],
    },
    { kind: 'quote', blocks: [{ kind: 'paragraph', spans: [text('said')] }] },
  ]);
});

const lines: readonly (readonly [string, readonly Span[]])[] = [
  ['2 * 3 * 4, a_b_c', [text('2 * 3 * 4, a_b_c')]],
  ['*one* two', [{ kind: 'emphasis', spans: [text('one')] }, text(' two')]],
  ['`*/5 * *` **b**', [{ kind: 'code', text: '*/5 * *' }, text(' '), strong('b')]],
  ['[`a` b](c.md#d)', [link('c.md#d', { kind: 'code', text: 'a' }, text(' b'))]],
  ['![p](q.svg)', [{ kind: 'image', from: 'q.svg', text: 'p' }]],
  ['see https://a.example/b?c.', [text('see '), url('https://a.example/b?c'), text('.')]],
  ['<https://a.example>', [url('https://a.example')]],
  ['\\*no\\*', [text('*'), text('no'), text('*')]],
  ['`` a`b ``', [{ kind: 'code', text: 'a`b' }]],
];

for (const [line, spans] of lines) {
  test(`a line is read by what is marked in it: ${line}`, () => {
    assert.deepEqual(readSpans(line), spans);
  });
}

function strong(words: string): Span {
  return { kind: 'strong', spans: [text(words)] };
}

function link(to: string, ...spans: Span[]): Span {
  return { kind: 'link', to, spans };
}

function url(to: string): Span {
  return link(to, text(to));
}
