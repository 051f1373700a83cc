/** Where `npm test` says how far it is. */
export interface Screen {
  begin(name: string): void;
  end(line: string): void;
  say(text: string): void;
}

const REDRAW_MS = 1_000;

/** One line for each step; on a terminal also one that counts the seconds of the step at work. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    clearInterval(timer);
    if (stream.isTTY && timer !== undefined) stream.write('\r\x1b[K');
    timer = undefined;
  };
  return {
    begin(name) {
      if (!stream.isTTY) return;
      const startedAt = performance.now();
      const draw = () =>
        stream.write(`\r\x1b[K… ${name} ${seconds(performance.now() - startedAt)}`);
      draw();
      timer = setInterval(draw, REDRAW_MS);
    },
    end(line) {
      clear();
      stream.write(`${line}\n`);
    },
    say(text) {
      clear();
      stream.write(`${text}\n`);
    },
  };
}

/** `12.3 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
