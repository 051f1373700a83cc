import { keptHere } from './kept.ts';
import { place } from './place.ts';

/** How far down the reader of a place has come. */
interface Scrolled {
  top: number;
}

/** So long what has to be read may take until there is enough to scroll to where one was. */
const restoreMs = 60_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Back leads to where the reader was in what stood there, also when it has to be read first: the
 * browser tries it once, when there is nothing yet. Another place begins at its top.
 */
export function keepScroll(): void {
  history.scrollRestoration = 'manual';
  let here = scrolledHere();
  let path = place.value.path.join('/');
  const topBefore: unknown = history.state?.top;
  let stop = typeof topBefore === 'number' ? scrollSoon(topBefore) : () => {};
  addEventListener('scroll', () => {
    here.top = scrollY;
  });
  // A page that is loaded again has nothing else of it; while it is left it is too late.
  addEventListener('scrollend', () => {
    history.replaceState({ ...history.state, top: scrollY }, '');
  });
  addEventListener('hashchange', () => {
    stop();
    here = scrolledHere();
    const { top } = here;
    const before = path;
    path = place.value.path.join('/');
    if (top > 0) stop = scrollSoon(top);
    else if (path !== before) scrollTo(0, 0);
  });
}

function scrolledHere(): Scrolled {
  return keptHere<Scrolled>('scrolled', () => ({ top: 0 }));
}

/** Scrolls there as soon as it is there, unless the reader does something meanwhile. */
function scrollSoon(top: number): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const look = () => {
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 1) leaving.abort();
  };
  const grown = new ResizeObserver(look);
  const late = setTimeout(() => leaving.abort(), restoreMs);
  signal.addEventListener('abort', () => {
    clearTimeout(late);
    grown.disconnect();
  });
  const onInput = () => leaving.abort();
  for (const input of inputs) addEventListener(input, onInput, { signal, passive: true });
  grown.observe(document.body);
  return () => leaving.abort();
}
