import { type SimTotals, transitionsOf } from './simTotals.ts';

/** One line that is written over on a terminal; a line now and then elsewhere. */
export function createProgress(seeds: number, stream: NodeJS.WriteStream) {
  const began = performance.now();
  const periodMs = stream.isTTY ? 200 : 30_000;
  let shownMs = began;
  return {
    show: (soFar: SimTotals): void => {
      const nowMs = performance.now();
      if (nowMs - shownMs < periodMs) return;
      shownMs = nowMs;
      const perSecond = soFar.seeds / ((nowMs - began) / 1000);
      const text =
        `${soFar.seeds} of ${seeds} worlds, ${perSecond.toFixed(1)}/s, ` +
        `${transitionsOf(soFar).toLocaleString('en')} transitions, ` +
        `${soFar.violations} violations${seedsIn(soFar)}`;
      stream.write(stream.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
    },
    end: (): void => {
      if (stream.isTTY) stream.write('\r\x1b[K');
    },
  };
}

/** Reported while the others go on, so that a run that is ended early has not failed in vain. */
function seedsIn({ failing }: SimTotals): string {
  return failing.length === 0 ? '' : ` (seed ${failing.join(', ')})`;
}
