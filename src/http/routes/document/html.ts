/** Markup that is known to be whole: what stood in its places was escaped. */
export interface Html {
  readonly text: string;
}

/** Markup of a template, with every text in it escaped that is no markup already. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const text = parts.reduce((sum, part, index) => {
    const value = values[index - 1] ?? '';
    return sum + (typeof value === 'string' ? escapeHtml(value) : value.text) + part;
  });
  return { text };
}

export function join(pieces: readonly Html[]): Html {
  return { text: pieces.map(({ text }) => text).join('') };
}

/** Text with what stands between backticks as code. */
export function prose(text: string): Html {
  return join(
    text
      .split(/`([^`]*)`/)
      .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`)),
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
