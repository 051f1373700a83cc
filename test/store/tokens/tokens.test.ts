import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Channel } from '../../../src/store/connection/channel.ts';
import { addToken, tokenBounds } from '../../../src/store/tokens/addToken.ts';
import { addLogin, endLogin } from '../../../src/store/tokens/changeLogin.ts';
import { findHolders, findLoggedIn } from '../../../src/store/tokens/findHolder.ts';
import { hadToken, hasToken, listTokens } from '../../../src/store/tokens/listTokens.ts';
import { revokeToken } from '../../../src/store/tokens/revokeToken.ts';
import {
  hashSecret,
  makeSecret,
  makeTokenText,
  readTokenText,
} from '../../../src/store/tokens/tokenText.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

async function findHolder(channel: Channel, text: string) {
  return (await findHolders(channel, [makeTokenText().text, text])).get(text) ?? null;
}

async function findBrowser(channel: Channel, cookie: string) {
  return (await findLoggedIn(channel, [makeSecret(), cookie])).get(cookie) ?? null;
}

const viewer = { name: 'ann', role: 'viewer', groups: null, expiresMs: null } as const;

await forEachEngine((engine) => {
  test('a token is found by its text and kept as a hash alone', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { channel } = world;
    assert.equal(await hasToken(channel), false);
    const { secret, tokenId } = await addToken(channel, { ...viewer, groups: ['web'] });
    assert.ok(secret);
    assert.deepEqual(await findHolder(channel, secret), {
      ...{ tokenId, name: 'ann', role: 'viewer', groups: ['web'] },
    });
    const [row] = await world.rows('SELECT * FROM api_token');
    assert.deepEqual(new Uint8Array(row?.token_hash), new Uint8Array(hashSecret(secret)));
    assert.ok(!JSON.stringify(row).includes(secret.slice(-43)), 'the secret is kept nowhere');
    const forged = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    assert.equal(await findHolder(channel, forged), null);
    assert.equal(await findHolder(channel, makeTokenText().text), null);
    assert.equal(await hasToken(channel), true);
  });

  test('an expired token is no token, to the millisecond of the database’s clock', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { secret } = await addToken(world.channel, { ...viewer, expiresMs: Date.UTC(2090, 0) });
    assert.ok(await findHolder(world.channel, secret ?? ''));
    await world.rows('UPDATE api_token SET expires_at = NOW(3)');
    assert.equal(await findHolder(world.channel, secret ?? ''), null);
    assert.equal(await hasToken(world.channel), false);
    assert.equal((await listTokens(world.channel))[0]?.isExpired, true);
  });

  test('a revoked token is none any more, nor is a browser logged in by it', async (t) => {
    const { channel } = await makeReusedWorld(t, engine);
    const { secret, tokenId } = await addToken(channel, viewer);
    const cookie = await addLogin(channel, tokenId);
    assert.equal((await findBrowser(channel, cookie))?.name, 'ann');
    assert.deepEqual(await revokeToken(channel, 'ann'), { tokenId, name: 'ann' });
    assert.equal(await findHolder(channel, secret ?? ''), null);
    assert.equal(await findBrowser(channel, cookie), null);
    await assert.rejects(revokeToken(channel, 'ann'), { code: 'token_missing' });
    assert.deepEqual(await listTokens(channel), []);
    assert.deepEqual([await hasToken(channel), await hadToken(channel)], [false, true]);
    // Its name is free, and the new one is another.
    const next = await addToken(channel, viewer);
    assert.equal(await findHolder(channel, secret ?? ''), null);
    assert.deepEqual(await revokeToken(channel, next.tokenId), {
      tokenId: next.tokenId,
      name: 'ann',
    });
  });

  test('a name is taken once, also when ten ask at once', async (t) => {
    const { channel } = await makeReusedWorld(t, engine);
    const asked = Array.from({ length: 10 }, () => addToken(channel, viewer));
    const answers = await Promise.allSettled(asked);
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue;
      assert.equal(answer.reason.code, 'token_exists');
      assert.match(answer.reason.hint, /: statecron token revoke ann$/);
    }
  });

  test('a logout ends one login and no other, and logins run out', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { tokenId } = await addToken(world.channel, viewer);
    const [one, two] = [
      await addLogin(world.channel, tokenId),
      await addLogin(world.channel, tokenId),
    ];
    await endLogin(world.channel, one);
    assert.equal(await findBrowser(world.channel, one), null);
    assert.ok(await findBrowser(world.channel, two));
    await world.rows('UPDATE api_login SET expires_at = NOW(3)');
    assert.equal(await findBrowser(world.channel, two), null);
  });

  test('logins and tokens are bounded: the oldest login goes, a token is refused', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const { tokenId } = await addToken(world.channel, viewer);
    for (let login = 0; login < 55; login += 1) await addLogin(world.channel, tokenId);
    const [logins] = await world.rows('SELECT COUNT(*) AS many FROM api_login');
    assert.equal(Number(logins?.many), 50);
    const others = Array.from({ length: tokenBounds.tokensMax - 1 }, (_, no) => no);
    await world.rows(
      `INSERT INTO api_token (token_id, token_hash, token_name, role, made_at)
       VALUES ${others.map(() => "(?, ?, ?, 'viewer', NOW(3))").join(', ')}`,
      others.flatMap((no) => [`${no}`.padStart(12, '0'), Buffer.alloc(32), `t${no}`]),
    );
    const more = addToken(world.channel, { ...viewer, name: 'more' });
    await assert.rejects(more, { code: 'too_many_tokens' });
    assert.equal((await listTokens(world.channel)).length, tokenBounds.tokensMax);
  });
});

test('a token is its prefix, its id and 256 random bits, and never the same twice', () => {
  const texts = Array.from({ length: 1_000 }, () => makeTokenText().text);
  assert.equal(new Set(texts).size, 1_000);
  for (const text of texts) assert.match(text, /^statecron_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/);
  const secret = Buffer.from(texts[0]?.slice(-43) ?? '', 'base64url');
  assert.equal(secret.length * 8, 256);
});

test('what is no token is told from one without a look', () => {
  const { text, key } = makeTokenText();
  assert.deepEqual(readTokenText(text), key);
  for (const other of ['', ' ', `${text} `, `${text}\n`, text.slice(1), `${text}a`, '__proto__']) {
    assert.equal(readTokenText(other), null, JSON.stringify(other));
  }
});
