import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { NotificationMessage } from '../../../src/domain/notifications/notification.ts';
import type { NotificationTarget } from '../../../src/domain/notifications/notificationTarget.ts';
import { createNotificationSender } from '../../../src/exec/notifications/notificationSender.ts';
import { listen } from '../../exec/notifications/listener.ts';
import { fileScope } from '../../support/testEngine.ts';
import { askRaw } from '../world/askRaw.ts';
import { makeWholeApi } from '../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const admin = (await world.token('admin')).secret;
const secret = `whsec_${randomBytes(32).toString('base64')}`;

function ask(method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return askRaw(origin, { method, path, token: admin, headers, body: text });
}

const failure: NotificationMessage = {
  ...{ notificationId: 1, id: `ntc_${'0'.repeat(32)}`, event: 'failure', tries: 0, createdMs: 0 },
  facts: { job: 'job', result: 'failed', exitCode: 1 },
};

const ids = 'XXL-JOB CVE-2022-43183, GHSA-83w4-x5w9-hf4h, #3002, #3375, #3935';
describe(`${ids}: an address that a user gave`, () => {
  test('is sent no token, no cookie and no secret of ours', async (t) => {
    const { url, heard } = await listen(t);
    const target: NotificationTarget = {
      ...{ name: 'hook', kind: 'webhook', address: url, secret, events: [] },
      ...{ longMs: null, minuteMax: 60 },
    };
    const sender = createNotificationSender(
      { mailServer: null, webhookAllow: ['127.0.0.1'] },
      '1.2.3',
    );
    assert.deepEqual(await sender.send(target, failure), { sent: true });
    assert.deepEqual(await sender.send({ ...target, kind: 'ping', secret: null }, failure), {
      sent: true,
    });
    assert.equal(heard.length, 2);
    for (const { body, headers } of heard) {
      const all = JSON.stringify([headers, body]);
      for (const hidden of [admin, secret, secret.slice(6), new URL(world.url).password]) {
        if (hidden !== '') assert.ok(!all.includes(hidden));
      }
      for (const name of ['authorization', 'cookie', 'proxy-authorization', 'x-api-key']) {
        assert.equal(headers[name], undefined, name);
      }
    }
  });

  test('of this machine or its network is not asked, whichever way it is written', async () => {
    const sender = createNotificationSender(undefined, '1.2.3');
    const hosts = ['127.1', '2130706433', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'];
    hosts.push('169.254.169.254', 'localhost', '10.0.0.1', '[fd00::1]');
    for (const host of hosts) {
      const target: NotificationTarget = {
        ...{ name: 'hook', kind: 'webhook', address: `http://${host}:${new URL(origin).port}/` },
        ...{ secret, events: [], longMs: null, minuteMax: 60 },
      };
      const outcome = await sender.send(target, failure);
      assert.ok(!outcome.sent, host);
      assert.match(outcome.error, /is not allowed/, host);
    }
  });

  test('is taken with no user in it nor another scheme, and its secret is not shown', async () => {
    for (const address of [
      ...['file:///etc/passwd', 'gopher://x/', 'http://u:p@example.com/', 'javascript:alert(1)'],
      ...['http://example.com/\r\nX-A: b', 'http://exa mple.com/', 'ldap://x', ''],
    ]) {
      const { status, text } = await ask('POST', '/api/v1/notify/targets', {
        ...{ name: 'odd', kind: 'webhook', address },
      });
      assert.equal(status, 422, `${address}: ${text}`);
    }
    const target = { name: 'hook', kind: 'webhook', address: 'https://example.com/', secret };
    const added = await ask('POST', '/api/v1/notify/targets', target);
    assert.equal(added.status, 201, added.text);
    for (const path of ['/api/v1/notify/targets', '/api/v1/notify/log', '/api/v1/audit']) {
      const { text } = await ask('GET', path);
      assert.ok(!text.includes(secret.slice(6)), path);
    }
  });
});

test('mail: a line break in an address or a name makes no header', async () => {
  for (const address of ['a@example.com\r\nBcc: b@example.com', 'a@example.com,b@example.com']) {
    const body = { name: 'mail', kind: 'mail', address };
    assert.equal((await ask('POST', '/api/v1/notify/targets', body)).status, 422, address);
  }
  const name = 'x\r\nBcc: b@example.com';
  const body = { name, kind: 'mail', address: 'a@example.com' };
  assert.equal((await ask('POST', '/api/v1/notify/targets', body)).status, 422);
});
