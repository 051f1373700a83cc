import type { RunView } from '../../http/contract/runContract.ts';
import { howEnded } from '../output/exitCodeOf.ts';

/**
 * Why nothing is kept of what a run wrote, as far as its row says. `isPartShown`: what its node has
 * published of it has been printed.
 */
export function whyNoOutput(run: RunView, isPartShown = false): string {
  const { exitCode, launchId, outputBytes, reason, requestId, result, signal, startedAt } = run;
  if (result === null) {
    const state = startedAt === null ? 'It has not started' : 'It has not ended';
    const what = `What it writes${isPartShown ? ' from now on' : ''}`;
    return `${state}. ${what}: statecron run log --follow ${launchId ?? requestId}`;
  }
  if (startedAt === null || result === 'not_started') {
    return `It never started, so there is no output. ${howEnded(run)}`;
  }
  if (result === 'lost') {
    const rest = isPartShown ? 'The rest of its output' : 'Its output';
    return `${rest} is not kept: the node ended before it could record it. ${howEnded(run)}`;
  }
  if (outputBytes > 0) {
    return `It wrote ${outputBytes} bytes, which are not kept. ${howEnded(run)}`;
  }
  const isUnborn = exitCode === null && signal === null && reason !== null;
  return isUnborn ? `It wrote nothing. ${howEnded(run)}` : 'It wrote nothing.';
}
