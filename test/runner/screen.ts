/** Where `npm test` shows how far it is. */
export interface Screen {
  /** What is at work now: on a terminal the last line shows it, with the seconds since it began. */
  show(status: () => string): void;
  say(text: string): void;
  close(): void;
}

const redrawMs = 1_000;

export function createScreen(stream: NodeJS.WriteStream): Screen {
  const beganAt = performance.now();
  let [status, isDrawn] = [() => '', false];
  const clear = () => {
    if (isDrawn) stream.write('\r\x1b[K');
    isDrawn = false;
  };
  const draw = () => {
    const text = status();
    if (!stream.isTTY || text === '') return;
    const line = `… ${seconds(performance.now() - beganAt)}  ${text}`;
    stream.write(`\r\x1b[K${line.slice(0, stream.columns - 1)}`);
    isDrawn = true;
  };
  const timer = setInterval(draw, redrawMs).unref();
  return {
    show(next) {
      status = next;
      draw();
    },
    say(text) {
      clear();
      stream.write(`${text}\n`);
      draw();
    },
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

/** `12.3 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
