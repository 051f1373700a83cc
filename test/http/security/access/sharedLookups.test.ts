import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChannelPool } from '../../../../src/http/admission/channelPool.ts';
import { Authenticator } from '../../../../src/http/authentication/authenticator.ts';
import type { Channel } from '../../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../../../src/store/tokens/addToken.ts';
import { lastFirst } from '../../../support/lastFirst.ts';
import { makeGate } from '../../../support/makeGate.ts';
import { makeStoreWorld } from '../../../support/storeWorld.ts';
import { until, within } from '../../../support/until.ts';

/** Counts the questions, and lets the answer to one that is under way wait. */
class WatchedPool extends ChannelPool {
  asked = 0;
  answered = 0;
  answerAfter: Promise<void> | null = null;

  override use<T>(by: null, work: (channel: Channel) => Promise<T>): Promise<T> {
    return super.use(by, async (channel) => {
      this.asked += 1;
      const answer = await work(channel);
      this.answered += 1;
      await this.answerAfter;
      return answer;
    });
  }
}

test('tokens that come at the same time are looked up by one question', async (t) => {
  const { check, pool, secret } = await makeWorld(t);
  const other = await secret('other');
  const mine = await secret('mine');
  const answers = await Promise.all([mine, mine, mine, other, mine].map(check));
  assert.deepEqual(answers, ['mine', 'mine', 'mine', 'other', 'mine']);
  assert.equal(pool.asked, 1);
  assert.equal(await check(mine), 'mine');
  assert.equal(pool.asked, 2, 'nothing is remembered');
});

test('who comes after a token was revoked is not let in by an earlier question', async (t) => {
  const { check, pool, rows, secret } = await makeWorld(t);
  const mine = await secret('mine');
  const gate = makeGate();
  pool.answerAfter = gate.passed;
  const early = check(mine);
  await until('the early one is answered', () => pool.answered === 1);
  await rows("UPDATE api_token SET revoked_no = 'x'");
  const late = check(mine);
  gate.open();
  await assert.rejects(within('the late answer', late), { code: 'unauthenticated' });
  await within('the early answer', early);
});

async function makeWorld(context: Parameters<typeof lastFirst>[0]) {
  const scope = lastFirst(context);
  const { channel, rows, url } = await makeStoreWorld(scope, 'mariadb');
  const pool = new WatchedPool(readDatabaseUrl(url), 4, 10);
  scope.after(() => pool.close());
  const authenticator = new Authenticator(pool, undefined, { note: () => undefined });
  const secret = async (name: string) => {
    const wishes = { name, role: 'viewer', groups: null, expiresMs: null } as const;
    return (await addToken(channel, wishes)).secret ?? '';
  };
  const check = async (text: string) =>
    (await authenticator.check({ kind: 'bearer', text }, '127.0.0.1')).name;
  return { check, pool, rows, secret };
}
