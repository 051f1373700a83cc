import assert from 'node:assert/strict';
import test from 'node:test';
import { EventClient } from '../../src/http/events/eventClient.ts';
import { within } from '../support/until.ts';

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
  for (let sent = 0; sent < 1024; sent += 1) client.send(kibibyte);
  assert.equal(client.isOpen, true);
  client.send(kibibyte);
  assert.deepEqual([client.isOpen, ends, destroyed()], [false, ['cut'], 1]);
  client.send(kibibyte);
  client.close();
  assert.deepEqual(ends, ['cut']);
});

test('many small frames are a buffer too', () => {
  const { client, ends } = open();
  for (let sent = 0; sent <= 5_000; sent += 1) client.send(frame(1));
  assert.deepEqual(ends, ['cut']);
});

test('what was sent is read in order and in few pieces, and the end after it', async () => {
  const { client, ends } = open();
  const reader = client.stream.getReader();
  const first = reader.read();
  client.send(new TextEncoder().encode('a'));
  assert.equal(Buffer.from((await within('the first', first)).value ?? []).toString(), 'a');
  for (let sent = 0; sent < 1_000; sent += 1) {
    client.send(new TextEncoder().encode(`${sent},`));
  }
  client.close();
  const pieces: string[] = [];
  for (;;) {
    const { done, value } = await within('a piece', reader.read());
    if (done) break;
    pieces.push(Buffer.from(value).toString());
  }
  assert.equal(pieces.join(''), Array.from({ length: 1_000 }, (_, n) => `${n},`).join(''));
  assert.equal(pieces.length, 1);
  assert.deepEqual(ends, ['closed']);
});

test('clients that are told the same share one piece, and others do not get it', async () => {
  const clients = [open(), open(), open()].map(({ client }) => client);
  const [one, two, three] = [frame(1), frame(2), new Uint8Array(1)];
  for (const [place, frames] of [
    [one, two],
    [one, two],
    [three, two],
  ].entries()) {
    for (const each of frames) clients[place]?.send(each);
  }
  const pieces = clients.map(async ({ stream }) => (await stream.getReader().read()).value);
  const [first, second, other] = await within('all', Promise.all(pieces));
  assert.equal(first, second);
  assert.deepEqual([...(other ?? [])], [0, 120, 120]);
  assert.deepEqual([...(first ?? [])], [120, 120, 120]);
});

test('of clients that are told at once few are written to in one turn of the loop', async () => {
  const clients = Array.from({ length: 100 }, () => open().client);
  let read = 0;
  const reads = clients.map(async ({ stream }) => {
    await stream.getReader().read();
    read += 1;
  });
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  await nextTurn(); // all wait
  for (const client of clients) client.send(frame(10));
  const inTurn: number[] = [];
  let before = 0;
  while (read < clients.length) {
    await nextTurn();
    inTurn.push(read - before);
    before = read;
  }
  await Promise.all(reads);
  assert.ok(Math.max(...inTurn) <= 32, `${inTurn}`);
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

test('who tells the past waits for a client that is slow, and learns when it is gone', async () => {
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
