import { effect, signal, untracked } from '@preact/signals';
import { type JSX, render } from 'preact';
import { ApiProblem } from './api/apiProblem.ts';
import { caller, isBehindProxy, logIn, readCaller, sessionProblem } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { findScreen } from './frame/screen.ts';
import { LoginScreen } from './screens/login/loginScreen.tsx';
import { ProxyLogin } from './screens/login/proxyLogin.tsx';
import { screens } from './screens.ts';
import { startClock } from './state/clock.ts';
import { keepScroll } from './state/keepScroll.ts';
import { place, showPlace } from './state/place.ts';
import './style/page.css';

function Page(): JSX.Element | null {
  if (caller.value === null && isBehindProxy) return <ProxyLogin />;
  if (caller.value === null) return <LoginScreen first={linkProblem.value} />;
  if (caller.value !== undefined) return <Frame screens={screens} />;
  const problem = sessionProblem.value;
  return (
    problem && (
      <main class="opening">
        <h1>statecron</h1>
        <p role="alert">
          {problem.message} {problem.status === 403 ? problem.hint : 'It is tried again.'}
        </p>
      </main>
    )
  );
}

/** The link that the node printed logs in once; what is in it is not left in the history. */
async function enter(): Promise<void> {
  const [first, code] = place.value.path;
  if (first !== 'login' || code === undefined) return readCaller();
  showPlace([]);
  try {
    await logIn(code);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    linkProblem.value = error;
    await readCaller();
  }
}

const linkProblem = signal<ApiProblem | null>(null);

/** The static document stays until the login has been checked, or could not be. */
function show(root: HTMLElement): void {
  let isShown = false;
  effect(() => {
    const isKnown = caller.value !== undefined || sessionProblem.value !== null;
    if (!isKnown || isShown) return;
    isShown = true;
    root.replaceChildren();
    untracked(() => render(<Page />, root));
  });
}

startClock();
keepScroll();
void enter();
// The screen's code loads while the login is checked. If that fails the screen says so itself.
void findScreen(screens, place.value.path)
  ?.screen.load()
  .catch(() => undefined);
const root = document.getElementById('page');
if (root !== null) show(root);
