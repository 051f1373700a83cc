import { signal } from '@preact/signals';

/** The jobs that the reader has chosen to act on; `all`: whichever match the conditions. */
type Selection = ReadonlySet<string> | 'all';

const none: Selection = new Set<string>();

export const selection = signal<Selection>(none);

export function isSelected(job: string): boolean {
  return selection.value === 'all' || selection.value.has(job);
}

export function turnSelected(job: string): void {
  const before = selection.value === 'all' ? none : selection.value;
  const chosen = new Set(before);
  if (!chosen.delete(job)) chosen.add(job);
  selection.value = chosen;
}

export function clearSelection(): void {
  selection.value = none;
}
