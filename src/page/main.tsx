import { type JSX, render } from 'preact';
import { caller, readCaller, sessionProblem } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { LoginScreen } from './screens/login/loginScreen.tsx';
import { screens } from './screens.ts';
import { startClock } from './state/clock.ts';
import './style/page.css';

function Page(): JSX.Element | null {
  if (caller.value === null) return <LoginScreen />;
  if (caller.value !== undefined) return <Frame screens={screens} />;
  const problem = sessionProblem.value;
  return problem && <p class="opening">{problem.message} It is tried again.</p>;
}

startClock();
const root = document.getElementById('page');
if (root !== null) render(<Page />, root);
void readCaller();
