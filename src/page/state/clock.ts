import { computed, effect, signal } from '@preact/signals';

/** True: what is shown stays as it is, until the reader lets it go on. */
export const isFrozen = signal(false);

/** The present time by the node's clock, in whole seconds: what counts looks at it. */
export const nowMs = signal(Date.now());

const quarterMs = 15 * 60_000;
/** The quarter of an hour that it is: what day it is, in whatever zone, changes with no other. */
export const quarter = computed(() => Math.floor(nowMs.value / quarterMs) * quarterMs);

/** How far this browser's clock is from the node's; the reader may have set it wrong. */
let skewMs = 0;

/** The present time by the node's clock, to the millisecond. */
function nodeNowMs(): number {
  return Date.now() + skewMs;
}

/** Learns of the node's clock by the Date header of an answer, which has whole seconds. */
export function noteNodeTime(date: string | null): void {
  const nodeMs = date === null ? Number.NaN : Date.parse(date) + 500;
  if (Number.isNaN(nodeMs)) return;
  const apart = nodeMs - Date.now();
  if (Math.abs(apart - skewMs) > 1_500) skewMs = Math.abs(apart) < 1_500 ? 0 : apart;
}

/** Starts the clock; it rests while nobody looks. */
export function startClock(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    clearTimeout(timer);
    if (document.hidden) return;
    if (!isFrozen.value) nowMs.value = Math.floor(nodeNowMs() / 1_000) * 1_000;
    timer = setTimeout(tick, 1_000 - (nodeNowMs() % 1_000) + 5);
  };
  document.addEventListener('visibilitychange', tick);
  effect(() => {
    if (!isFrozen.value) tick();
  });
}
