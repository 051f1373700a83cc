interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const periodMs = 500;

/**
 * Shows on a terminal how many rows are done, twice a second: one line that is written over and
 * taken away at the end. Nothing is written to anything that is no terminal.
 */
export function makeRowProgress(verb: string, terminal: Terminal, nowMs = () => performance.now()) {
  const startedMs = nowMs();
  let saidMs = startedMs;
  let isThere = false;
  let rows = 0;
  return {
    add: (what: string, count: number): void => {
      rows += count;
      const atMs = nowMs();
      if (terminal.isTTY !== true || atMs - saidMs < periodMs) return;
      saidMs = atMs;
      isThere = true;
      const seconds = Math.round((atMs - startedMs) / 1000);
      terminal.write(
        `\r\x1b[K${verb} ${rows.toLocaleString('en-US')} rows (${what}), ${seconds} s`,
      );
    },
    end: (): void => {
      if (isThere) terminal.write('\r\x1b[K');
    },
  };
}
