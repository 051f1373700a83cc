import type { ComponentChildren, JSX } from 'preact';

interface ScrollsProps {
  /** What is in it: who scrolls by the keyboard hears it. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than its place is scrolled by itself, also by the keyboard. */
export function Scrolls({ label, children }: ScrollsProps): JSX.Element {
  return (
    <div class="scrolls" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
