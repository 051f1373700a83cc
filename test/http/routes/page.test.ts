import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRaw, gzipSize, namedFiles } from '../../support/pageSizes.ts';
import { makeApiWorld } from '../world/apiWorld.ts';

const dist = path.resolve(import.meta.dirname, '../../../dist/page/index.html');
const skip = existsSync(dist) ? false : 'not run: the page is not built (npm run build)';

/** A gzip of so many bytes at most, font included: before the first screen, and all of it. */
const bytesMax = { first: 90_000, all: 150_000 };

test('the page is served to anyone, compressed, and its files for ever', { skip }, async (t) => {
  const { origin } = await makeApiWorld(t);
  const get = async (place: string, coding = '') => {
    const headers = { 'accept-encoding': coding };
    const answer = await fetch(`${origin}/${place}`, { headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const { answer, bytes } = await get('');
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'no-cache');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.match(policy, /; require-trusted-types-for 'script'; trusted-types events$/);
  const html = bytes.toString();
  assert.doesNotMatch(html, /<script>|<style| style=| on\w+=|https?:/);
  const names = namedFiles(html);
  assert.ok(names.length >= 4, html);
  for (const name of names) {
    const file = await get(name);
    assert.equal(file.answer.status, 200, name);
    assert.equal(file.answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    // A worker has the policy of its own file.
    assert.equal(file.answer.headers.get('content-security-policy'), policy);
  }
  const script = names.find((name) => name.endsWith('.js')) ?? '';
  const plain = (await get(script, 'gzip;q=0, identity')).bytes;
  const gzip = await getRaw(origin, script, 'deflate, gzip');
  assert.equal(gzip.coding, 'gzip');
  assert.deepEqual(gunzipSync(gzip.bytes), plain);
  const brotli = await getRaw(origin, script, 'gzip, br');
  assert.equal(brotli.coding, 'br');
  assert.deepEqual(brotliDecompressSync(brotli.bytes), plain);
  assert.equal((await get('assets/nothing.js')).answer.status, 404);
  assert.equal((await get('assets/..%2findex.html')).answer.status, 422);
});

test('the page is small: 90 kB at first, 150 kB in all', { skip }, async (t) => {
  const { origin } = await makeApiWorld(t);
  const html = await (await fetch(origin)).text();
  const first = namedFiles(html);
  const assets = readdirSync(path.join(path.dirname(dist), 'assets'));
  const all = assets.filter((name) => !/\.(gz|br)$/.test(name)).map((name) => `assets/${name}`);
  const [firstBytes, allBytes] = [await gzipSize(origin, first), await gzipSize(origin, all)];
  t.diagnostic(`the page: ${firstBytes} bytes at first, ${allBytes} in all`);
  assert.ok(firstBytes <= bytesMax.first, `${firstBytes} bytes at first`);
  assert.ok(allBytes <= bytesMax.all, `${allBytes} bytes in all`);
});
