import type { JSX } from 'preact';
import type { ApiProblem } from '../../api/apiProblem.ts';
import { ProblemBox } from '../../parts/loaded.tsx';
import { showLine } from '../../text/showControls.ts';

/** What is wrong with the file, each fault with its line. */
export function PlanProblem({ problem }: { readonly problem: ApiProblem }): JSX.Element {
  const faults = [...problem.fields];
  return (
    <>
      <ProblemBox problem={problem} />
      {faults.length > 1 && (
        <ul class="faults">
          {faults.map(([where, message]) => (
            <li key={where}>
              <strong>{showLine(where)}</strong> {showLine(message)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
