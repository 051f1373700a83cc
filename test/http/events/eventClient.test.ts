import assert from 'node:assert/strict';
import test from 'node:test';
import { EventClient } from '../../../src/http/events/eventClient.ts';
import { within } from '../../support/until.ts';

function open() {
  const ends: string[] = [];
  let destroyed = 0;
  const client = new EventClient(
    () => {
      destroyed += 1;
    },
    (why) => ends.push(why),
  );
  return { client, ends, destroyed: () => destroyed };
}

const frame = (bytes: number) => new Uint8Array(bytes).fill(120);

test('a client that reads nothing is cut at a mebibyte, and its connection is ended', () => {
  const { client, ends, destroyed } = open();
  const kibibyte = frame(1024);
  for (let sent = 0; sent < 800; sent += 1) client.send(kibibyte);
  assert.equal(client.isOpen, true);
  for (let sent = 800; sent <= 1024; sent += 1) client.send(kibibyte);
  assert.deepEqual([client.isOpen, ends, destroyed()], [false, ['cut'], 1]);
  client.send(kibibyte);
  client.close();
  assert.deepEqual(ends, ['cut']);
});

test('many small frames are a buffer too', () => {
  const { client, ends } = open();
  for (let sent = 0; sent <= 6_000; sent += 1) client.send(frame(1));
  assert.deepEqual(ends, ['cut']);
});

test('what was sent is read in order, each batch in one piece, and the end after it', async () => {
  const { client, ends } = open();
  const reader = client.stream.getReader();
  const first = reader.read();
  client.send(new TextEncoder().encode('a'));
  assert.equal(Buffer.from((await within('the first', first)).value ?? []).toString(), 'a');
  const frames = Array.from({ length: 1_000 }, (_, n) => new TextEncoder().encode(`${n},`));
  client.send(...frames.slice(0, 600));
  client.send(...frames.slice(600));
  client.close();
  const pieces: string[] = [];
  for (;;) {
    const { done, value } = await within('a piece', reader.read());
    if (done) break;
    pieces.push(Buffer.from(value).toString());
  }
  assert.equal(pieces.join(''), Array.from({ length: 1_000 }, (_, n) => `${n},`).join(''));
  assert.equal(pieces.length, 2);
  assert.deepEqual(ends, ['closed']);
});

test('a client that hangs up is told of once, also while it waits for more', async () => {
  const { client, ends } = open();
  const reader = client.stream.getReader();
  const waiting = reader.read();
  await reader.cancel();
  assert.equal((await within('the end', waiting)).done, true);
  client.send(frame(1));
  assert.deepEqual(ends, ['left']);
});

test('who sends the past waits for a client that is slow, and learns when it is gone', async () => {
  const { client } = open();
  client.send(frame(100_000));
  client.send(frame(100_000));
  let hasRoom: boolean | null = null;
  const room = client.room().then((isOpen) => {
    hasRoom = isOpen;
  });
  const reader = client.stream.getReader();
  await reader.read();
  assert.equal(hasRoom, null);
  await reader.read();
  await within('there is room', room);
  assert.equal(hasRoom, true);
  client.send(frame(100_000));
  client.send(frame(100_000));
  const gone = client.room();
  await reader.cancel();
  assert.equal(await within('it is gone', gone), false);
});
