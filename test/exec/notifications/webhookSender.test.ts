import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { NotificationMessage } from '../../../src/domain/notifications/notification.ts';
import { pingRunId } from '../../../src/domain/notifications/notificationId.ts';
import type { NotificationTarget } from '../../../src/domain/notifications/notificationTarget.ts';
import { createNotificationSender } from '../../../src/exec/notifications/notificationSender.ts';
import { pingUrl } from '../../../src/exec/notifications/webhookSender.ts';
import { listen } from './listener.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const sender = createNotificationSender({ mailServer: null, webhookAllow: ['127.0.0.1'] }, '1.2.3');
const hookOf = (address: string): NotificationTarget => ({
  ...{ name: 'hook', kind: 'webhook', address, secret, events: [], longMs: null, minuteMax: 60 },
});
const failure: NotificationMessage = {
  notificationId: 7,
  id: 'ntc_0123456789abcdef0123456789abcdef',
  event: 'failure',
  facts: { job: 'bäckup <img onerror>', launchId: 's1:2', result: 'failed', exitCode: 3 },
  tries: 0,
  createdMs: Date.UTC(2030, 0, 1),
};

test('a webhook is a CloudEvent that its receiver can verify', async (t) => {
  const { url, heard } = await listen(t);
  assert.deepEqual(await sender.send(hookOf(`${url}in`), failure), { sent: true });
  const [one] = heard;
  assert.ok(one);
  assert.equal(one.method, 'POST');
  assert.match(one.headers['content-type'] ?? '', /^application\/cloudevents\+json/);
  assert.equal(one.headers['webhook-id'], failure.id);
  const headers = one.headers as Record<string, string>;
  const event = new Webhook(secret).verify(one.body, headers) as Record<string, unknown>;
  const { data, ...attributes } = event;
  assert.deepEqual(attributes, {
    ...{ specversion: '1.0', id: failure.id, source: 'urn:statecron' },
    ...{ type: 'statecron.job.failure', subject: 'bäckup <img onerror>' },
    ...{ time: '2030-01-01T00:00:00.000Z', datacontenttype: 'application/json' },
  });
  const text = 'bäckup <img onerror> failed (exit 3)';
  assert.deepEqual(data, { event: 'failure', text, ...failure.facts });
  const wanted = ['authorization', 'cookie', 'proxy-authorization', 'x-api-key'];
  for (const name of wanted) assert.equal(one.headers[name], undefined, name);
  const forged = { ...headers, 'webhook-id': 'ntc_other' };
  assert.throws(() => new Webhook(secret).verify(one.body, forged), /signature/i);
});

test('an answer that is no success is none, whatever it says', async (t) => {
  for (const [status, shown] of [
    [302, /302, which is not followed/],
    [500, /500/],
  ] as const) {
    const { url } = await listen(t, (response) => {
      response.writeHead(status, { location: 'http://127.0.0.1/' }).end('root:x:0:0');
    });
    const outcome = await sender.send(hookOf(url), failure);
    assert.ok(!outcome.sent);
    assert.match(outcome.error, shown);
    assert.doesNotMatch(outcome.error, /root/);
  }
});

test('a ping asks for the start, the end and the failure of one run', async (t) => {
  const { url, heard } = await listen(t);
  const target: NotificationTarget = { ...hookOf(`${url}check/`), kind: 'ping', secret: null };
  for (const event of ['start', 'success', 'failure'] as const) {
    assert.deepEqual(await sender.send(target, { ...failure, event }), { sent: true });
  }
  const rid = pingRunId('s1:2');
  assert.deepEqual(
    heard.map(({ method, url }) => `${method} ${url}`),
    ['start', '', 'fail'].map((end) => `GET /check/${end}?rid=${rid}`),
  );
  const plain = pingUrl('https://hc.test/5e6f?create=1', { ...failure, event: 'start' });
  assert.equal(plain.href, `https://hc.test/5e6f/start?create=1&rid=${rid}`);
});

test('a node without a mail server leaves mails to others', () => {
  assert.deepEqual(sender.kinds, ['webhook', 'ping']);
});
