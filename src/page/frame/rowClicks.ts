import { useEffect } from 'preact/hooks';

/** What a click on means something else. */
const others = 'a, button, input, select, textarea, label, summary, details, [draggable]';
const rows = 'tr, .jobs .row, .changes > li, .log > li';

/**
 * A click anywhere on a row goes where the row's own link goes (`data-row`), in another tab as a
 * click on a link would. Text that is selected there stays so.
 */
export function useRowClicks(): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const { button, ctrlKey, defaultPrevented, metaKey, shiftKey, target } = event;
      if (defaultPrevented || button > 1 || !(target instanceof Element)) return;
      if (target.closest(others) !== null || `${getSelection()}` !== '') return;
      const link = target.closest(rows)?.querySelector<HTMLAnchorElement>('a[data-row]');
      if (!link) return;
      if (button === 1 || ctrlKey || metaKey || shiftKey) open(link.href, '_blank', 'noopener');
      else link.click();
    };
    addEventListener('click', onClick);
    addEventListener('auxclick', onClick);
    return () => {
      removeEventListener('click', onClick);
      removeEventListener('auxclick', onClick);
    };
  }, []);
}
