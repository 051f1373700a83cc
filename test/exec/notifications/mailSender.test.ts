import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import type { NotificationMessage } from '../../../src/domain/notifications/notification.ts';
import {
  type MailServer,
  requireOneLine,
  sendMail,
} from '../../../src/exec/notifications/mailSender.ts';
import { startMailSink } from './mailSink.ts';

const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  ...{ host: '127.0.0.1', port, isSecure: false, needsTls: false },
  ...{ user: null, password: null, from: 'statecron@example.com', ...more },
});
const failure: NotificationMessage = {
  notificationId: 1,
  id: 'ntc_0123456789abcdef0123456789abcdef',
  event: 'failure',
  facts: { job: 'bäckup', result: 'failed', exitCode: 3, reason: 'line\r\nBcc: x@example.com' },
  tries: 0,
  createdMs: Date.UTC(2030, 0, 1),
};

test('a mail has an encoded subject, a stable id, and what happened in it', async (t) => {
  const sink = await startMailSink(t);
  await sendMail(serverAt(sink.port), 'ops@example.com', failure);
  await sendMail(serverAt(sink.port), 'ops@example.com', { ...failure, tries: 1 });
  const [one, two] = sink.got;
  assert.ok(one && two);
  assert.deepEqual([one.from, one.to], ['statecron@example.com', ['ops@example.com']]);
  const [head = '', ...body] = one.raw.split('\r\n\r\n');
  assert.match(head, /^Subject: =\?UTF-8\?Q\?=5Bstatecron=5D_b=C3=A4ckup_failed_/m);
  const id = /^Message-ID: <ntc_0123456789abcdef0123456789abcdef@example.com>$/im;
  assert.match(head, id);
  assert.match(two.raw, id);
  assert.match(head, /^Auto-Submitted: auto-generated$/m);
  assert.doesNotMatch(head, /^Bcc/im);
  assert.match(body.join(), /Exit code:? +3/);
});

test('a line break never comes into a header', async (t) => {
  const sink = await startMailSink(t);
  const evil = { ...failure, facts: { ...failure.facts, job: 'x\r\nBcc: all@example.com' } };
  await assert.rejects(sendMail(serverAt(sink.port), 'ops@example.com', evil), /line break/);
  const to = 'ops@example.com\r\nBcc: all@example.com';
  await assert.rejects(sendMail(serverAt(sink.port), to, failure), /no mail address/);
  const from = serverAt(sink.port, { from: 'a@example.com\nX: y' });
  await assert.rejects(sendMail(from, 'ops@example.com', failure), /no mail address/);
  assert.equal(sink.got.length, 0);
  for (const text of ['a\rb', 'a\nb', 'a\0b']) assert.throws(() => requireOneLine(text));
});

test('a password is not told to a server that does not encrypt', async (t) => {
  const sink = await startMailSink(t);
  const server = serverAt(sink.port, { user: 'u', password: 'p', needsTls: true });
  await assert.rejects(sendMail(server, 'ops@example.com', failure));
  assert.equal(sink.got.length, 0);
});

test('a server that refuses, or says nothing, fails within the bound', async (t) => {
  const sink = await startMailSink(t, { refuse: () => true });
  await assert.rejects(sendMail(serverAt(sink.port), 'ops@example.com', failure), /try later/);
  const silent = createServer((socket) => socket.on('error', () => undefined)); // cut off by us
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const { port } = silent.address() as { port: number };
  await assert.rejects(sendMail(serverAt(port), 'ops@example.com', failure), /greeting/i);
});
