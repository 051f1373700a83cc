/** A piece of a line of Markdown. */
export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly spans: readonly Span[] }
  | { readonly kind: 'emphasis'; readonly spans: readonly Span[] }
  | { readonly kind: 'link'; readonly to: string; readonly spans: readonly Span[] }
  | { readonly kind: 'image'; readonly from: string; readonly text: string };

/** Reads what a text of Markdown has in it: code, links, images, emphasis; the rest is text. */
export function readSpans(text: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(marked)) {
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) });
    spans.push(spanOf(match.groups ?? {}));
    end = match.index + match[0].length;
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) });
  return spans;
}

/** The words of spans alone. */
export function wordsOf(spans: readonly Span[]): string {
  return spans.map((span) => ('spans' in span ? wordsOf(span.spans) : span.text)).join('');
}

const marked = new RegExp(
  [
    String.raw`\\(?<plain>[\\\x60*_|<>[\]#-])`,
    String.raw`(?<tick>\x60+)(?<code>.+?)\k<tick>(?!\x60)`,
    String.raw`!\[(?<alt>[^\]]*)\]\((?<from>[^()\s]+)\)`,
    String.raw`\[(?<label>(?:\x60[^\x60]*\x60|[^\]\x60])+)\]\((?<to>[^()\s]+)\)`,
    String.raw`\*\*(?<strong>.+?)\*\*`,
    String.raw`(?<![\w*])\*(?<emphasis>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])`,
    String.raw`<?(?<url>https?://[^\s<>()\x60]*[\w/])>?`,
  ].join('|'),
  'g',
);

function spanOf(found: Readonly<Record<string, string | undefined>>): Span {
  const { plain, code, alt, from, label, to, strong, emphasis, url } = found;
  if (plain !== undefined) return { kind: 'text', text: plain };
  if (code !== undefined) return { kind: 'code', text: code.replace(/^ (.*`.*) $/, '$1') };
  if (from !== undefined) return { kind: 'image', from, text: alt ?? '' };
  if (to !== undefined) return { kind: 'link', to, spans: readSpans(label ?? '') };
  if (url !== undefined) return { kind: 'link', to: url, spans: [{ kind: 'text', text: url }] };
  if (strong !== undefined) return { kind: 'strong', spans: readSpans(strong) };
  return { kind: 'emphasis', spans: readSpans(emphasis ?? '') };
}
