import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { command } from './command.ts';
import { headerBytes, PacketReader, payloadBytesMax } from './packetReader.ts';
import { ReplyTracker } from './replyTracker.ts';

describe('packets', () => {
  test('packets are the same however TCP cuts and joins them', () => {
    const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    const property = fc.property(payloads, cuts, (expected, sizes) => {
      const stream = Buffer.concat(expected.map((payload, index) => packetOf(payload, index)));
      const reader = new PacketReader();
      const found: Buffer[] = [];
      for (let start = 0, turn = 0; start < stream.length; turn += 1) {
        const end = start + (sizes[turn % sizes.length] ?? 1);
        for (const packet of reader.push(stream.subarray(start, end))) found.push(packet.payload);
        start = end;
      }
      assert.deepEqual(
        found,
        expected.map((payload) => Buffer.from(payload)),
      );
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('a payload of 16 MiB goes on in the next packet, be that empty', () => {
    const reader = new PacketReader();
    const full = packetOf(Buffer.alloc(payloadBytesMax, 7), 0);
    const packets = [
      ...reader.push(full),
      ...reader.push(packetOf(Buffer.alloc(0), 1)),
      ...reader.push(packetOf(Buffer.from('next'), 0)),
    ];
    assert.deepEqual(
      packets.map(({ isContinuation, isLast }) => [isContinuation, isLast]),
      [
        [false, false],
        [true, true],
        [false, true],
      ],
    );
  });
});

describe('replies', () => {
  test('a row that begins like an end, being long, is none', () => {
    // 0xfe and eight bytes of length: a column of 16 MiB or more, so its packet is full.
    const row = Buffer.alloc(payloadBytesMax, 1);
    row[0] = 0xfe;
    const parts = [[1], columnOf(), endOf(0), row, [0xfe], endOf(0)];
    assert.deepEqual(endsOf(parts, false), [false, false, false, false, false, true]);
  });

  test('results that end with an OK packet are followed to the last', () => {
    const more = okOf(0xfe, 0x0008);
    const parts = [[1], columnOf(), [1, 65], more, [1], columnOf(), okOf(0xfe, 0)];
    assert.deepEqual(endsOf(parts, true), [false, false, false, false, false, false, true]);
  });

  test("MariaDB's progress reports are no errors", () => {
    assert.deepEqual(endsOf([[0xff, 0xff, 0xff, 1, 1, 1], okOf(0, 0)], false), [false, true]);
  });
});

/** For each packet of a reply to a query, whether it is taken for the last. */
function endsOf(payloads: readonly (readonly number[] | Buffer)[], hasOkAtEnd: boolean): boolean[] {
  const tracker = new ReplyTracker(command.query, hasOkAtEnd);
  const reader = new PacketReader();
  return payloads.map((payload, index) => {
    const [packet] = reader.push(packetOf(Buffer.from(payload), index));
    assert.ok(packet);
    return tracker.take(packet);
  });
}

function packetOf(payload: Uint8Array, sequence: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUIntLE(payload.length, 0, 3);
  header[3] = sequence % 256;
  return Buffer.concat([header, payload]);
}

const columnOf = () => [3, 100, 101, 102];
const endOf = (status: number) => [0xfe, 0, 0, status, 0];
const okOf = (header: number, status: number) => [header, 0, 0, status, 0, 0, 0];
