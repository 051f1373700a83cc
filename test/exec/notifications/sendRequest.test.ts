import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { makeAddressRules } from '../../../src/exec/notifications/addressRules.ts';
import {
  answerBytesMax,
  type RequestParts,
  sendRequest,
} from '../../../src/exec/notifications/sendRequest.ts';
import { listen } from './listener.ts';

const strict: RequestParts = { rules: makeAddressRules() };
const loopback: RequestParts = { rules: makeAddressRules(['127.0.0.1']) };
const get = (url: string, parts: RequestParts) =>
  sendRequest({ url: new URL(url), method: 'GET', headers: {} }, parts);

const ways = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', 'localhost'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '0', '①②⑦.⓪.⓪.①'],
];
for (const host of ways) {
  test(`a listener on loopback hears nothing by the name ${host}`, async (t) => {
    const { port, heard } = await listen(t);
    await assert.rejects(get(`http://${host}:${port}/`, strict), /is not allowed/);
    assert.equal(heard.length, 0);
  });
}

for (const address of ['169.254.169.254', '10.0.0.1', '[fd00:ec2::254]', '[fe80::1]']) {
  test(`${address} is not asked, however long it would take to answer`, async () => {
    await assert.rejects(get(`http://${address}/latest/meta-data/`, strict), /is not allowed/);
  });
}

test('XXL-JOB CVE-2022-43183: what is asked for gets no credential of ours', async (t) => {
  const { url, heard } = await listen(t);
  assert.equal(await get(`${url}hook?a=b`, loopback), 204);
  const [one] = heard;
  assert.equal(one?.url, '/hook?a=b');
  assert.deepEqual(Object.keys(one?.headers ?? {}).sort(), ['connection', 'host']);
});

test('a name is resolved once, and the connection goes to that address', async (t) => {
  const { port, heard } = await listen(t);
  let lookups = 0;
  // The first answer is allowed, the next would be the machine's credentials.
  const resolve = async () => {
    lookups += 1;
    return [lookups === 1 ? '127.0.0.1' : '169.254.169.254'];
  };
  assert.equal(await get(`http://flips.test:${port}/`, { ...loopback, resolve }), 204);
  assert.equal(lookups, 1);
  assert.equal(heard[0]?.headers.host, `flips.test:${port}`);
  await assert.rejects(get(`http://flips.test:${port}/`, { ...loopback, resolve }), /169.254/);
  assert.equal(heard.length, 1);
});

test('a name with one address inside and one outside is not asked', async (t) => {
  const { port, heard } = await listen(t);
  const resolve = async () => ['93.184.216.34', '127.0.0.1'];
  await assert.rejects(get(`http://both.test:${port}/`, { ...strict, resolve }), /127.0.0.1/);
  assert.equal(heard.length, 0);
});

test('a redirect is an answer and is not followed', async (t) => {
  const { url, heard } = await listen(t, (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end();
  });
  assert.equal(await get(url, loopback), 302);
  assert.equal(heard.length, 1);
});

test('of an endless answer no more than the bound is read', async (t) => {
  let sent = 0;
  const { url } = await listen(t, (response) => {
    response.writeHead(200);
    const write = (): void => {
      if (response.destroyed) return;
      sent += 64 * 1024;
      response.write(Buffer.alloc(64 * 1024), () => setImmediate(write));
    };
    write();
  });
  assert.equal(await get(url, loopback), 200);
  // What sockets buffer on the way comes on top.
  assert.ok(sent < answerBytesMax + 16 * 1024 * 1024, `${sent} bytes`);
});

test('headers without an end are cut off', async (t) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // it was cut off, as it should be
    socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`);
  });
  const port = await listenOn(server);
  t.after(() => server.close());
  await assert.rejects(get(`http://127.0.0.1:${port}/`, loopback), /overflow/i);
});

test('who says nothing, or a byte at a time, is left after the time-out', async (t) => {
  const { url } = await listen(t, (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(timer));
  });
  await assert.rejects(get(url, { ...loopback, timeoutMs: 400 }), /no answer within 0.4 s/);
  const silent = await listen(t, () => undefined);
  await assert.rejects(get(silent.url, { ...loopback, timeoutMs: 400 }), /no answer within/);
});

test('a resolver that hangs holds nothing up', async () => {
  const resolve = () => new Promise<string[]>(() => undefined);
  const parts = { ...strict, resolve, timeoutMs: 200 };
  await assert.rejects(get('http://hangs.test/', parts), /no answer within/);
});

test('nothing but http and https is asked', async () => {
  await assert.rejects(get('ftp://example.com/', strict), /neither https nor http/);
});

function listenOn(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
}
