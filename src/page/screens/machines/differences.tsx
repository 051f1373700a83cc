import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { StateTable } from './actorTable.tsx';
import type { Mark } from './marks.ts';
import type { Arrow } from './rates.ts';

interface DifferencesProps {
  /** What is drawn. */
  readonly name: string;
  readonly svg: SVGSVGElement;
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  readonly ofWhat: string;
}

/**
 * What nodes of another version count that the drawing, of this node's version, does not have,
 * and which of its arrows they do not have. Of nodes of this version: nothing.
 */
export function Differences({
  arrows,
  marks,
  name,
  ofWhat,
  svg,
}: DifferencesProps): JSX.Element | null {
  const states = useMemo(() => namesIn(svg, 'state'), [svg]);
  const paths = useMemo(() => namesIn(svg, 'arrow'), [svg]);
  const undrawn = [
    ...marks
      .filter(({ state }) => !states.has(state))
      .map((mark) => ({ ...mark, path: mark.state })),
    ...arrows.filter(({ path }) => !paths.has(path)),
  ];
  const counted = new Set(arrows.map(({ path }) => path));
  const missing = [...paths].filter((path) => counted.size > 0 && !counted.has(path));
  const named = (path: string) => path.replaceAll(`${name}.`, '').replace(' ', ' → ');
  return (
    <>
      {missing.length > 0 && (
        <p class="quiet">
          Arrows that are drawn, but not{ofWhat || ' of its version'}:{' '}
          {missing.map(named).join(', ')}.
        </p>
      )}
      {undrawn.length > 0 && (
        <StateTable
          title={`States and arrows${ofWhat} that are not drawn`}
          heads={['State or arrow', 'Now or count']}
        >
          {undrawn.map(({ path, text }) => (
            <tr key={`${path} ${text}`}>
              <td>{named(path)}</td>
              <td class="number">{text}</td>
            </tr>
          ))}
        </StateTable>
      )}
    </>
  );
}

function namesIn(svg: SVGSVGElement, kind: 'state' | 'arrow'): ReadonlySet<string> {
  const parts = svg.querySelectorAll<SVGGElement>(`[data-${kind}]`);
  return new Set([...parts].flatMap((part) => part.dataset[kind] ?? []));
}
