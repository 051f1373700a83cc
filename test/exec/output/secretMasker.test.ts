import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SecretMasker, secretMask } from '../../../src/exec/output/secretMasker.ts';

/** What comes out when the text is printed in these pieces. */
function masked(secrets: readonly string[], pieces: readonly (string | Uint8Array)[]): string {
  const masker = new SecretMasker(secrets);
  const out = pieces.map((piece) => Buffer.from(masker.push(Buffer.from(piece))));
  return Buffer.concat([...out, Buffer.from(masker.end())]).toString();
}

/** The same by looking at the whole: what overlaps is one, and a long beginning at the end too. */
function expected(secrets: readonly string[], text: string): string {
  const spans: [number, number][] = [];
  for (const secret of secrets) {
    for (let at = 0; at <= text.length - secret.length; at += 1) {
      if (text.startsWith(secret, at)) spans.push([at, at + secret.length]);
    }
  }
  const cut = Math.max(
    0,
    ...secrets.flatMap((secret) =>
      [...secret.slice(0, -1)]
        .map((_, end) => end + 1)
        .filter((length) => text.endsWith(secret.slice(0, length))),
    ),
  );
  if (cut >= 6) spans.push([text.length - cut, text.length]);
  spans.sort((one, other) => one[0] - other[0]);
  let shown = '';
  let at = 0;
  for (const [from, until] of spans) {
    if (from >= at) shown += text.slice(at, from) + secretMask;
    at = Math.max(at, until);
  }
  return shown + text.slice(at);
}

/** Few letters, so that secrets overlap, contain and begin each other. */
const word = (least: number, most: number) =>
  fc
    .array(fc.constantFrom('a', 'b'), { minLength: least, maxLength: most })
    .map((letters) => letters.join(''));

test('however an output is cut into pieces, the same is masked in it', () => {
  const secrets = fc.array(word(6, 11), { minLength: 1, maxLength: 3 });
  const pieces = fc.array(fc.oneof(word(0, 3), word(0, 30), fc.constant('c')), { maxLength: 12 });
  fc.assert(
    fc.property(secrets, pieces, (values, cuts) => {
      assert.equal(masked(values, cuts), expected(values, cuts.join('')));
    }),
    { numRuns: 400 },
  );
});

test('a secret is masked wherever a pipe cuts it', () => {
  const secret = 'gr€at-s3cret';
  const bytes = Buffer.from(`before ${secret} after\n`);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
    assert.equal(masked([secret], pieces), 'before *** after\n');
  }
  assert.equal(
    masked(
      [secret],
      [...bytes].map((byte) => Uint8Array.of(byte)),
    ),
    'before *** after\n',
  );
});

test('what cannot be the beginning of a secret comes at once', () => {
  const masker = new SecretMasker(['password']);
  assert.equal(Buffer.from(masker.push(Buffer.from('Enter pass'))).toString(), 'Enter ');
  assert.equal(Buffer.from(masker.push(Buffer.from('ion: '))).toString(), 'passion: ');
});

test('a key of several lines is masked as a whole and line by line', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n-----END KEY-----\n';
  assert.equal(masked([key], [`a ${key} b`]), 'a *** b');
  const indented = key.split('\n').join('\r\n    ');
  assert.doesNotMatch(masked([key], [indented]), /MII|Bgk/);
});

test('what a kill cuts off in the middle of a secret is masked, unless it is short', () => {
  assert.equal(masked(['abcdefgh'], ['x abcdefg']), 'x ***');
  assert.equal(masked(['abcdefgh'], ['x abcde']), 'x abcde');
});

test('a value too short to be told from other words is let through', () => {
  assert.equal(masked(['abc', ''], ['abcabc']), 'abcabc');
});

test('memory and time are bounded by the secrets, not by the output', () => {
  const masker = new SecretMasker(['a'.repeat(16_000), 'aaaaaa', 'aaaaab']);
  const piece = Buffer.alloc(65_536, 'x');
  const began = performance.now();
  for (let pieces = 0; pieces < 60; pieces += 1) assert.ok(masker.push(piece).length === 65_536);
  const plainMs = performance.now() - began;
  // The worst that an output can do: every byte of it begins a secret.
  const worst = Buffer.alloc(65_536, 'a');
  let bytes = 0;
  for (let pieces = 0; pieces < 20; pieces += 1) bytes += masker.push(worst).length;
  assert.ok(bytes <= 3 * 20, 'one run of a secret is one mask');
  assert.ok(plainMs < 5_000, `${plainMs} ms for 4 MB`);
});
