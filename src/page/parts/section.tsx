import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Word } from './word.tsx';

interface SectionProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
  /** At the right of the title. */
  readonly tools?: ComponentChildren;
  readonly class?: string;
}

/** A part of a screen with its heading. */
export function Section({ title, children, tools, class: name = '' }: SectionProps): JSX.Element {
  const id = useId();
  return (
    <section class={`part ${name}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}

interface FactProps {
  readonly term: string;
  /** What the term means, where the page's table of words does not say it. */
  readonly meaning?: string | undefined;
  readonly children: ComponentChildren;
}

/** One line of a list of facts (`dl`). */
export function Fact({ term, children, meaning }: FactProps): JSX.Element {
  return (
    <div class="fact">
      <dt>
        <Word text={term} meaning={meaning} />
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
