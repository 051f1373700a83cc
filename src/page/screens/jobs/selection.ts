import { signal } from '@preact/signals';
import { say } from '../../parts/messages.tsx';
import { showLine } from '../../text/showControls.ts';

/** The jobs that the reader has chosen to act on; `all`: whichever match the conditions. */
type Selection = ReadonlySet<string> | 'all';

const none: Selection = new Set<string>();

export const selection = signal<Selection>(none);

export function isSelected(job: string): boolean {
  return selection.value === 'all' || selection.value.has(job);
}

/** @param matching the jobs that match, if all of them have been read: one may be left out. */
export function turnSelected(job: string, matching: readonly string[] | null): void {
  const before = selection.value === 'all' ? matching : selection.value;
  if (before === null) {
    const hint = 'The list has not been read to its end: scroll there, or show fewer jobs.';
    say({ text: `${showLine(job)} is not left out.`, hint, isBad: true });
    return;
  }
  const chosen = new Set(before);
  if (!chosen.delete(job)) chosen.add(job);
  selection.value = chosen;
}

export function clearSelection(): void {
  selection.value = none;
}
