import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FollowedOutput } from '../../../src/domain/run/followedOutput.ts';
import { KeptOutput } from '../../../src/exec/output/keptOutput.ts';

const written = fc.uint8Array({ maxLength: 300 });
const markers = /\n\[statecron: (\d+) bytes left out\]\n/g;

test('whatever looks come between, each byte is shown once or counted as left out', () => {
  const looks = fc.array(fc.tuple(fc.nat(300), fc.nat(60)), { maxLength: 8 });
  fc.assert(
    fc.property(written, fc.nat(200), looks, (bytes, bytesMax, times) => {
      // No byte that a marker could be mistaken for.
      const whole = bytes.map((byte) => (byte % 26) + 97);
      const followed = new FollowedOutput();
      const kept = new KeptOutput(bytesMax);
      const shown: Uint8Array[] = [];
      let at = 0;
      for (const [until, endMax] of [...times].sort(([one], [other]) => one - other)) {
        kept.append(whole.subarray(at, until));
        at = Math.max(at, Math.min(until, whole.length));
        shown.push(...followed.take(kept.end(endMax), kept.totalBytes));
      }
      kept.append(whole.subarray(at));
      shown.push(...followed.finish(kept.render(), whole.length));
      let place = 0;
      const text = Buffer.concat(shown).toString('latin1');
      const parts = text.split(markers);
      for (const [index, part] of parts.entries()) {
        if (index % 2 === 1) place += Number(part);
        else {
          const own = Buffer.from(whole.subarray(place, place + part.length)).toString('latin1');
          assert.equal(part, own);
          place += part.length;
        }
      }
      assert.equal(place, whole.length);
    }),
    { numRuns: 2_000 },
  );
});

test('output that is all kept is shown as it is, however it is followed', () => {
  const followed = new FollowedOutput();
  const text = (pieces: Uint8Array[]) => Buffer.concat(pieces).toString();
  assert.equal(text(followed.take(Buffer.from('abc'), 3)), 'abc');
  assert.equal(text(followed.take(Buffer.from('abc'), 3)), '');
  assert.equal(text(followed.take(Buffer.from('cde'), 5)), 'de');
  assert.equal(text(followed.finish(Buffer.from('abcdefg'), 7)), 'fg');
});
