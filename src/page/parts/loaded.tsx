import type { ComponentChildren, JSX } from 'preact';
import type { ApiProblem } from '../api/apiProblem.ts';
import type { Resource } from '../api/useResource.ts';
import { TextWithCommands } from '../links/textWithCommands.tsx';

interface LoadedProps<T> {
  readonly of: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
  /** How many lines are grey while it is read, so that nothing jumps when it is there. */
  readonly lines?: number;
  /** What stands above it: it is read first, so that it does not push what is there. */
  readonly above?: Resource<unknown>;
}

/** What was read; grey lines before, and the problem when it could not be read at all. */
export function Loaded<T>({ of, above, children, lines = 3 }: LoadedProps<T>): JSX.Element {
  const data = of.data.value;
  const waits = above?.data.value === null && above.problem.value === null;
  if (data !== null && !waits) return <>{children(data)}</>;
  const problem = of.problem.value;
  if (problem !== null) return <ProblemBox problem={problem} onRetry={() => of.reload()} />;
  return <Loading lines={lines} />;
}

/** Grey lines where something will stand. */
export function Loading({ lines }: { readonly lines: number }): JSX.Element {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="line" />
      ))}
    </div>
  );
}

interface ProblemProps {
  readonly problem: ApiProblem;
  readonly onRetry?: () => void;
}

/** What went wrong, and what to do. */
export function ProblemBox({ problem, onRetry }: ProblemProps): JSX.Element {
  return (
    <div class="box bad" role="alert">
      <p>
        <strong>{problem.message}</strong>
      </p>
      {problem.hint && (
        <p>
          <TextWithCommands text={problem.hint} />
        </p>
      )}
      {onRetry && (
        <button type="button" class="button plain" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Says why there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
