import type { JSX } from 'preact';

/** For somebody whom the proxy before the node names no longer: it logs in, not this page. */
export function ProxyLogin(): JSX.Element {
  return (
    <main class="opening">
      <h1>statecron</h1>
      <p role="alert">Your login is over.</p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        Log in again
      </button>
    </main>
  );
}
