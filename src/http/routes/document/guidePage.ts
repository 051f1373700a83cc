import type { Guide, Topic } from '../../guide/guide.ts';
import { type Block, readMarkdown } from '../../guide/readMarkdown.ts';
import type { Span } from '../../guide/readSpans.ts';
import { type Html, html, join } from './html.ts';

/** A page of the guide, or the page that lists them: no script, nothing from elsewhere. */
export function guidePage(guide: Guide, topic: Topic | null, version: string): string {
  // Relative, so that a proxy may serve them below a path of its own.
  const base = topic === null ? 'docs/' : '';
  const text = topic?.text ?? (guide.index === '' ? noPages : guide.index);
  const links = { base, names: new Set(guide.topics.map(({ name }) => name)) };
  const topics = guide.topics.map(
    ({ name }) => html`<a href="${base}${name}">${name}</a>
`,
  );
  const title = topic === null ? 'documentation' : topic.name;
  const index = topic === null ? 'docs' : '../docs';
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>statecron: ${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${base}style.css"></head><body>
<header><h1><a href="${index}">statecron</a> <small>${version}</small></h1>
<nav><a href="${base}reference">API reference</a>
${join(topics)}</nav></header>
<main>${join(readMarkdown(text).map((block) => blockHtml(block, links)))}</main>
</body></html>
`;
  return page.text;
}

const noPages = `# statecron

The pages of the documentation are not in this installation; the API reference is always there.`;

/** What links may lead to: pages of these names, below `base`. */
interface Links {
  readonly base: string;
  readonly names: ReadonlySet<string>;
}

function blockHtml(block: Block, links: Links): Html {
  const inner = (blocks: readonly Block[]) => join(blocks.map((each) => blockHtml(each, links)));
  const line = (spans: readonly Span[]) => join(spans.map((span) => spanHtml(span, links)));
  switch (block.kind) {
    case 'heading': {
      const { level, id, spans } = block;
      const tag = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'][level - 1] ?? 'h6';
      return html`<${{ text: tag }} id="${id}">${line(spans)}</${{ text: tag }}>
`;
    }
    case 'paragraph':
      return html`<p>${line(block.spans)}</p>
`;
    case 'code':
      return html`<pre><code>${block.text}</code></pre>
`;
    case 'quote':
      return html`<blockquote>${inner(block.blocks)}</blockquote>
`;
    case 'list': {
      const items = join(block.items.map((item) => html`<li>${inner(item)}</li>`));
      return block.isNumbered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case 'table': {
      const headings = join(block.headings.map((cell) => html`<th>${line(cell)}</th>`));
      const rows = block.rows.map((row) => {
        return html`<tr>${join(row.map((cell) => html`<td>${line(cell)}</td>`))}</tr>
`;
      });
      return html`<table><tr>${headings}</tr>
${join(rows)}</table>
`;
    }
  }
}

function spanHtml(span: Span, links: Links): Html {
  if (span.kind === 'text') return html`${span.text}`;
  if (span.kind === 'code') return html`<code>${span.text}</code>`;
  if (span.kind === 'image') {
    const file = span.from.replace(/^.*\//, '');
    return html`<img src="${links.base}${file}" alt="${span.text}">`;
  }
  const inner = join(span.spans.map((each) => spanHtml(each, links)));
  if (span.kind === 'strong') return html`<strong>${inner}</strong>`;
  if (span.kind === 'emphasis') return html`<em>${inner}</em>`;
  const to = hrefOf(span.to, links);
  return to === null ? inner : html`<a href="${to}">${inner}</a>`;
}

/** Where a link leads among the pages that are served; null: what it names is not among them. */
function hrefOf(to: string, { base, names }: Links): string | null {
  if (/^(?:https?:\/\/|#)/.test(to)) return to;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(to) ?? [];
  if (name === 'README') return base === '' ? '../docs' : 'docs';
  return name === undefined || !names.has(name) ? null : `${base}${name}${anchor}`;
}
