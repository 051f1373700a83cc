interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const periodMs = 500;

/**
 * Shows on a terminal how far a command is, twice a second: one line that is overwritten, and
 * erased at the end. Nothing is written to anything that is no terminal.
 */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #nowMs: () => number;
  readonly #startedMs: number;
  #shownMs: number;
  #text = '';

  constructor(terminal: Terminal = process.stderr, nowMs = () => performance.now()) {
    this.#terminal = terminal;
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
    this.#shownMs = this.#startedMs;
  }

  /** @param textOf called only when the line is due */
  show(textOf: () => string): void {
    const atMs = this.#nowMs();
    if (this.#terminal.isTTY !== true || atMs - this.#shownMs < periodMs) return;
    this.#shownMs = atMs;
    const text = `${textOf()}, ${Math.round((atMs - this.#startedMs) / 1000)} s`;
    if (text === this.#text) return;
    this.#text = text;
    // Erased behind the text alone: a line that is empty for a moment flickers.
    this.#terminal.write(`\r${text}\x1b[K`);
  }

  end(): void {
    if (this.#text !== '') this.#terminal.write('\r\x1b[K');
    this.#text = '';
  }
}

type AddRows = (what: string, count: number) => void;

/** Shows, while `use` works, how many rows are done, of whatever they are. */
export async function withRowProgress<T>(
  verb: string,
  use: (add: AddRows) => Promise<T>,
): Promise<T> {
  const line = new ProgressLine();
  let rows = 0;
  try {
    return await use((what, count) => {
      rows += count;
      line.show(() => `${verb} ${formatCount(rows)} rows (${what})`);
    });
  } finally {
    line.end();
  }
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
