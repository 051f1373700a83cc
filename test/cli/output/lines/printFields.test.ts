import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { printFields } from '../../../../src/cli/output/lines/printFields.ts';

const meaning = 'skip: the run is lost, and the job goes on with its next tick';
const command = 'rsync -a  /srv/data  backup:/srv/data/of/the/night';

test('sentences are broken where the terminal is narrow, what may be copied is not', (t) => {
  const whole = `node loss  ${meaning}\ncommand    ${command}\n`;
  assert.equal(shown(t, undefined), whole);
  assert.equal(shown(t, 100), whole);
  assert.equal(
    shown(t, 50),
    'node loss  skip: the run is lost, and the job goes\n' +
      `           on with its next tick\ncommand    ${command}\n`,
  );
});

/** What stdout gets; `columns`: of its terminal, undefined where it is none. */
function shown(t: TestContext, columns: number | undefined): string {
  const { columns: before, isTTY } = process.stdout;
  const write = t.mock.method(process.stdout, 'write', () => true);
  Object.assign(process.stdout, { columns, isTTY: columns !== undefined });
  printFields(
    [
      ['node loss', meaning],
      ['command', command],
      ['none', null],
    ],
    ['node loss'],
  );
  Object.assign(process.stdout, { columns: before, isTTY });
  const lines = write.mock.calls.map((call) => String(call.arguments[0]));
  write.mock.restore();
  return lines.join('');
}
