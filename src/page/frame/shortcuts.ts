import { useEffect } from 'preact/hooks';
import { shortcutsChoice } from '../state/choices.ts';
import { jumpTo } from '../state/place.ts';
import { helpIsOpen } from './helpDialog.tsx';
import type { Screen } from './screen.ts';
import { turnFrozen } from './streamNote.tsx';

/** How long `g` waits for its letter. */
const letterMs = 1_500;

/**
 * Keys of the whole page. A screen marks what they lead to: `data-search` its field of search,
 * `data-row` each row's link, `data-select` the box of the row, `data-bulk` what can be done to the
 * rows that are selected, `data-clear` what ends the selection.
 */
export function useShortcuts(screens: readonly Screen[]): void {
  useEffect(() => {
    let goAtMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, key, metaKey } = event;
      if (altKey || event.defaultPrevented) return;
      if ((ctrlKey || metaKey) && key === 'k' && !hasDialog()) {
        event.preventDefault();
        void import('./goAnywhere.ts').then((loaded) => loaded.goAnywhere(screens));
      }
      if (ctrlKey || metaKey) return;
      if (key === 'Escape' && isTyping(event)) (event.target as HTMLElement).blur();
      if (shortcutsChoice.value === 'off' || isTyping(event) || hasDialog()) return;
      const isGoing = performance.now() - goAtMs < letterMs;
      goAtMs = Number.NEGATIVE_INFINITY;
      const screen = isGoing ? screens.find(({ letter }) => letter === key) : undefined;
      if (screen !== undefined) jumpTo(screen.path);
      else if (key === 'g') goAtMs = performance.now();
      else if (!act(key)) return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [screens]);
}

function act(key: string): boolean {
  if (key === '?') helpIsOpen.value = true;
  else if (key === '.') turnFrozen();
  else if (key === '/') return focus('[data-search]');
  else if (key === 'j') return step(1);
  else if (key === 'k') return step(-1);
  else if (key === 'x') return click('[data-select]');
  else if (key === 'b') return focus('[data-bulk] .button:not(.quiet)');
  else if (key === 'Escape') return press('[data-clear]');
  else return false;
  return true;
}

function press(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.click();
  return found !== null;
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  const isText = target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isText || (target instanceof HTMLElement && target.isContentEditable);
}

function hasDialog(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

function focus(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}

/** To the next row, or the one before; the browser brings it into view. */
function step(by: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? rows[0] : rows[at + by];
  next?.focus();
  return rows.length > 0;
}

function click(selector: string): boolean {
  const row = document.activeElement?.closest('[data-row-of], tr, li, [role=row]');
  const found = row?.querySelector<HTMLElement>(selector);
  found?.click();
  return found !== null && found !== undefined;
}
