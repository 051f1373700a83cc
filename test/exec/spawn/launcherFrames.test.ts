import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeFrame, FrameReader } from '../../../src/exec/spawn/launcherFrames.ts';

/** A frame the way the launcher writes it: length, kind, id, payload. */
function launcherFrame(kind: string, id: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(5 + payload.length, 0);
  head.write(kind, 4, 'latin1');
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

type Frame = { kind: string; id: number; payload: Uint8Array };

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

/** Output may come in pieces: those of one frame, next to each other, are put together. */
function joinOutput(received: Frame[]): Frame[] {
  const joined: Frame[] = [];
  for (const frame of received) {
    const last = joined.at(-1);
    if (frame.kind === 'O' && last?.kind === 'O' && last.id === frame.id) {
      last.payload = new Uint8Array([...last.payload, ...frame.payload]);
    } else {
      joined.push({ ...frame });
    }
  }
  return joined;
}

test('frames come out whole and in order however the stream is cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 25 })), (sent, cuts) => {
      const stream = Buffer.concat(sent.map((f) => launcherFrame(f.kind, f.id, f.payload)));
      const received: Frame[] = [];
      const reader = new FrameReader(({ kind, id, payload }) =>
        received.push({ kind, id, payload: new Uint8Array(payload) }),
      );
      let at = 0;
      for (const cut of [...cuts, stream.length]) {
        const chunk = stream.subarray(at, at + cut);
        const reused = Buffer.from(chunk);
        reader.push(reused);
        reused.fill(0);
        at += cut;
      }
      assert.deepEqual(joinOutput(received), joinOutput(sent));
    }),
  );
});

test('a request carries its length in bytes, not in characters', () => {
  const frame = encodeFrame('R\0ü€');
  assert.equal(frame.readUInt32BE(0), frame.length - 4);
  assert.equal(frame.subarray(4).toString(), 'R\0ü€');
});
