import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { logIn } from '../../api/session.ts';
import { nowMs } from '../../state/clock.ts';
import { formatCountdown } from '../../text/formatDuration.ts';

interface LoginProps {
  /** Why the link that led here did not log in; null: none did. */
  readonly first: ApiProblem | null;
}

/** The way in: a token, which the node exchanges for a cookie that no script can read. */
export function LoginScreen({ first }: LoginProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const problem = useSignal<ApiProblem | null>(first);
  const isBusy = useSignal(false);
  const untilMs = useSignal(0);
  const waitMs =
    untilMs.value === 0 ? 0 : Math.max(0, untilMs.value - Math.max(nowMs.value, Date.now()));
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? '';
    if (token === '' || isBusy.value || waitMs > 0) return field.current?.focus();
    isBusy.value = true;
    try {
      await logIn(token);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      problem.value = error;
      untilMs.value = error.retryAfterMs === null ? 0 : Date.now() + error.retryAfterMs;
      field.current?.select();
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <main class="login">
      <form onSubmit={submit}>
        <h1>statecron</h1>
        <label for="token">Token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autoComplete="current-password"
          spellcheck={false}
          aria-describedby="login-note"
          aria-invalid={problem.value !== null}
        />
        <div id="login-note" class="note" role="alert">
          {problem.value && (
            <Refusal problem={problem.value} isOfLink={problem.value === first} waitMs={waitMs} />
          )}
        </div>
        <button type="submit" class="button main" aria-disabled={isBusy.value || waitMs > 0}>
          {waitMs > 0 ? `Wait ${formatCountdown(waitMs)}` : 'Log in'}
        </button>
      </form>
      <section>
        <h2>Where is my token?</h2>
        <p>
          <code>statecron up</code> and <code>npm start</code> print a link that logs you in. They
          keep the first token in this file:
        </p>
        <pre>~/.local/share/statecron/token</pre>
        <p>Make another one, for yourself or for somebody who only looks:</p>
        <pre>statecron token add NAME --role viewer</pre>
        <p>
          The roles are viewer, operator and admin. <a href="docs/api">More about tokens</a>
        </p>
      </section>
    </main>
  );
}

interface RefusalProps {
  readonly problem: ApiProblem;
  readonly isOfLink: boolean;
  readonly waitMs: number;
}

function Refusal({ isOfLink, problem, waitMs }: RefusalProps): JSX.Element {
  if (waitMs > 0) {
    return (
      <p>Too many wrong tokens came from your address. Try again in {formatCountdown(waitMs)}.</p>
    );
  }
  if (problem.status === 401 && isOfLink) {
    return <p>The link was used already, or it is too old. The next start prints another one.</p>;
  }
  if (problem.status === 401) return <p>No token is like this one, or it is no longer valid.</p>;
  return (
    <p>
      {problem.message} {problem.hint}
    </p>
  );
}
