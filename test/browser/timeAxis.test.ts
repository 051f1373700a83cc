import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatClock, zoneOffsetMs } from '../../src/page/text/formatTime.ts';
import { roundTimes } from '../../src/page/timeline/timeRange.ts';

const hourMs = 3_600_000;
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];

test('marks of a timeline stand at round times of the zone, also at a change of the clocks', () => {
  for (const zone of zones) {
    const offsetMs = (ms: number) => zoneOffsetMs(zone, ms);
    // Both changes of a year are in it, in either hemisphere.
    const year = Date.UTC(2026, 0, 1);
    for (let fromMs = year + 12_345; fromMs < year + 366 * 24 * hourMs; fromMs += 20 * hourMs) {
      const range = { fromMs, untilMs: fromMs + 24 * hourMs };
      const { stepMs, times } = roundTimes(range, 9, offsetMs);
      assert.equal(stepMs, 3 * hourMs);
      assert.ok(times.length >= 7 && times.length <= 9, `${zone} ${new Date(fromMs)}`);
      for (const [at, ms] of times.entries()) {
        assert.match(formatClock(ms, zone), /^(00|03|06|09|12|15|18|21):00$/, zone);
        assert.ok(ms >= range.fromMs && ms <= range.untilMs && ms > (times[at - 1] ?? 0));
      }
    }
  }
});
