import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatExactInstant, formatInstant } from '../../../src/cli/output/formatInstant.ts';
import { startOfDay } from '../../../src/domain/schedule/startOfDay.ts';
import { parseInstant } from '../../../src/domain/time/parseInstant.ts';

test('an instant is read in the form that it is printed in, too', () => {
  const instantMs = Date.UTC(2026, 10, 26, 22, 59, 1);
  for (const timezone of ['UTC', 'Europe/Berlin', 'America/St_Johns']) {
    for (const text of [
      formatInstant(instantMs, timezone),
      formatExactInstant(instantMs, timezone),
    ]) {
      assert.equal(parseInstant(`${text}`), instantMs, `${text}`);
    }
  }
  for (const text of ['2026-11-26 23:59:00', '2026-02-30 23:59:00 +00:00', '2026-11-26  23:59 Z']) {
    assert.equal(parseInstant(text), null, text);
  }
});

test('a day begins when it does in its zone', () => {
  assert.equal(startOfDay('2026-11-26', 'Europe/Berlin'), Date.UTC(2026, 10, 25, 23));
  // Its clock goes from 0:00 to 1:00 on that day.
  assert.equal(startOfDay('2026-04-24', 'Africa/Cairo'), Date.UTC(2026, 3, 23, 22));
  assert.equal(startOfDay('2026-02-30', 'UTC'), null);
});
