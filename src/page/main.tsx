import { type JSX, render } from 'preact';
import { caller, readCaller, sessionProblem } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { LoginScreen } from './screens/login/loginScreen.tsx';
import { screens } from './screens.ts';
import { startClock } from './state/clock.ts';
import { goTo, place } from './state/place.ts';
import './style/page.css';

function Page(): JSX.Element | null {
  if (caller.value === null) return <LoginScreen />;
  if (caller.value !== undefined) return <Frame screens={screens} />;
  const problem = sessionProblem.value;
  return problem && <p class="opening">{problem.message} It is tried again.</p>;
}

startClock();
if (place.value.path.length === 0) goTo(['jobs']);
const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
void readCaller();
