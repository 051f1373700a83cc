import type { runContract } from '../contract/runContract.ts';
import { logView } from '../views/runView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { followOutput } from './handling/followOutput.ts';
import { requireRun } from './handling/requireRun.ts';

/** Whatever a job wrote is shown, never run: not as HTML, not in a page of this origin. */
const outputHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': 'attachment; filename="output.txt"',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;

type Written = 'GET /runs/{run}/log' | 'POST /runs/{run}/live' | 'POST /runs/{run}/follow';

/** What runs write. */
export const logRoutes: Pick<Handlers<typeof runContract>, Written> = {
  'GET /runs/{run}/log': async ({ run: id, format = 'text' }, c) => {
    const [run, output] = await c.var.operate(async (operator) => {
      const shown = await requireRun(operator, c.var.caller, id);
      const { launchId } = shown;
      return [shown, launchId === null ? null : await operator.readOutput(launchId)];
    });
    if (format === 'json') return logView(run, output);
    return c.body(new Uint8Array(output ?? []), 200, outputHeaders);
  },
  'POST /runs/{run}/live': async ({ run: id, seenBytes = 0 }, c) => {
    const look = await c.var.operate(async (operator) => {
      const { launchId, result } = await requireRun(operator, c.var.caller, id);
      if (launchId === null) return nothing;
      if (result === null) await operator.requestLive(launchId);
      return operator.readLive(launchId, seenBytes);
    });
    const { output, outputBytes, isReported } = look;
    const base64 = output === null ? null : Buffer.from(output).toString('base64');
    return { outputBytes, base64, isReported };
  },
  'POST /runs/{run}/follow': async ({ run: id, seenBytes = 0 }, c) => {
    const run = await c.var.operate((operator) => requireRun(operator, c.var.caller, id));
    const { outgoing } = (c.env ?? {}) as { outgoing?: { destroy(): void } };
    const stream = followOutput({
      ...{ run, seenBytes, operate: c.var.operate, admission: c.var.admission() },
      holdStream: c.var.holdStream,
      cut: () => outgoing?.destroy(),
    });
    return c.body(stream, 200, outputHeaders);
  },
};

const nothing = { output: null, outputBytes: 0, isReported: false } as const;
