import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { printWarning } from '../../../../src/cli/output/lines/printWarning.ts';

const text = 'no live node may run it as of now; see: statecron cluster';

test('a warning is broken between words where the terminal is narrow, and nowhere else', (t) => {
  assert.equal(shown(t, undefined), `warning: ${text}\n`);
  assert.equal(shown(t, 100), `warning: ${text}\n`);
  assert.equal(
    shown(t, 40),
    'warning: no live node may run it as of\n  now; see: statecron cluster\n',
  );
});

/** What stderr gets; `columns`: of its terminal, undefined where it is none. */
function shown(t: TestContext, columns: number | undefined): string {
  const write = t.mock.method(process.stderr, 'write', () => true);
  const { columns: _, isTTY } = process.stderr;
  Object.assign(process.stderr, { columns, isTTY: columns !== undefined });
  printWarning(text);
  Object.assign(process.stderr, { columns: _, isTTY });
  const lines = write.mock.calls.map((call) => String(call.arguments[0]));
  write.mock.restore();
  return lines.join('');
}
