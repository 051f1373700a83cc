import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, FrameReader } from '../../src/exec/launcherFrames.ts';

/** A frame the way the launcher writes it: length, kind, id, payload. */
function launcherFrame(kind: string, id: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(5 + payload.length, 0);
  head.write(kind, 4, 'latin1');
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

const frames = fc.array(
  fc.record(
    {
      kind: fc.constantFrom<string>('S', 'O', 'X', 'E'),
      id: fc.integer({ min: 0, max: 0x7fff_ffff }),
      payload: fc.uint8Array({ maxLength: 30 }),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 10 },
);

test('frames come out whole and in order however the stream is cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 25 })), (sent, cuts) => {
      const stream = Buffer.concat(sent.map((f) => launcherFrame(f.kind, f.id, f.payload)));
      const received: typeof sent = [];
      const reader = new FrameReader(({ kind, id, payload }) =>
        received.push({ kind, id, payload: new Uint8Array(payload) }),
      );
      let at = 0;
      for (const cut of [...cuts, stream.length]) {
        const chunk = stream.subarray(at, at + cut);
        if (chunk.length > 0) reader.push(Buffer.from(chunk));
        at += cut;
      }
      assert.deepEqual(received, sent);
    }),
  );
});

test('a request carries its length in bytes, not in characters', () => {
  const frame = encodeFrame('R\0ü€');
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
  assert.equal(frame.subarray(4).toString(), 'R\0ü€');
});
