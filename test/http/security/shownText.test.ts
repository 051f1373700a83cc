import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runCli } from '../../cli/runCli.ts';
import { asReason } from '../../support/asReason.ts';
import { fileScope } from '../../support/testEngine.ts';
import { askRaw, type HeardAnswer } from '../world/askRaw.ts';
import { requestText, sendRaw } from '../world/rawRequest.ts';
import { makeWholeApi } from '../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin, worker } = world;
const token = (await world.token('admin')).secret;
const image = '<img src=x onerror=alert(1)>';
const script = '</script><script>alert(1)</script>';
const hostile = `${image}${script}"'&lt;`;
/** Sets the clipboard (OSC 52), opens a link (OSC 8), rings, goes back to the line's begin. */
const escapes = '\u001b]52;c;ZXZpbA==\u0007\u001b]8;;http://evil.test\u0007x\r\u0007\u009b2J\u202e';
const job = `job ${hostile}`;

function ask(method: string, path: string, body?: unknown): Promise<HeardAnswer> {
  const headers = { 'content-type': 'application/json' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return askRaw(origin, {
    method,
    path,
    token,
    headers: text === undefined ? {} : headers,
    body: text,
  });
}

const run = await makeHostileJob();
// So may who names a machine.
await world.rows('UPDATE session SET host = ?', [hostile]);

/** Everything that a user may write has it: the name, the command, the group's tags, the output. */
async function makeHostileJob(): Promise<string> {
  const words = { cron: '0 0 1 1 *', command: `echo '${hostile}${escapes}'`, env: { X: hostile } };
  const added = await ask('POST', '/api/v1/jobs', { name: job, ...words });
  assert.equal(added.status, 201, added.text);
  const asked = await ask('POST', `/api/v1/jobs/${encodeURIComponent(job)}/run`);
  assert.equal(asked.status, 202, asked.text);
  const [launch] = await worker.claim();
  assert.ok(launch);
  await worker.start(launch);
  const output = Buffer.from(`${hostile}\n${escapes}\n`);
  await worker.store.writeOutputs([{ launchId: launch.launchId, output }]);
  const ended = { result: 'failed', exitCode: 3, reason: asReason(hostile), output } as const;
  await worker.finish(launch, { ...ended, outputBytes: output.length });
  return asked.json.requestId as string;
}

const xxl = 'XXL-JOB CVE-2020-23814, logDetailPage 2.4.0, Cronicle CVE-2026-55562 #752';
describe(`${xxl}: HTML in names, commands and outputs`, () => {
  test('is never sent as a page, and no browser guesses that it is one', async () => {
    const things = {
      job,
      run,
      revision: '1',
      machine: 'slot',
      page: 'jobs',
      asset: 'page.js',
      group: hostile,
    };
    const filled = { ...things, target: hostile, node: hostile, token: hostile };
    let shown = 0;
    for (const { method, path } of world.routes) {
      if (method !== 'GET') continue;
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof filled) =>
        encodeURIComponent(filled[name]),
      );
      const { headers, text } = await ask('GET', target);
      const type = headers['content-type'] ?? '';
      const policy = String(headers['content-security-policy']);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.match(policy, /default-src 'none'/, path);
      // The page has scripts of its own, in files.
      assert.doesNotMatch(policy, /script-src (?!'self';)|unsafe-eval/, path);
      if (!text.includes('onerror')) continue;
      shown += 1;
      assert.match(
        type,
        /^(application\/(problem\+)?(x-nd)?json|text\/plain|text\/event-stream)/,
        path,
      );
    }
    // The job, its list, its revisions, its run, the output, what changed it, its metrics …
    assert.ok(shown >= 6, `${shown} answers had it`);
  });

  test('in a request comes back as data of a problem, not as a page', async () => {
    const paths = [
      `/${encodeURIComponent(hostile)}`,
      `/api/v1/jobs?${encodeURIComponent(image)}=1`,
    ];
    paths.push(`/api/v1/runs/${encodeURIComponent(image)}`, `/docs/${encodeURIComponent(image)}`);
    for (const path of paths) {
      const { headers, status } = await ask('GET', path);
      assert.ok(status >= 400, path);
      assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, path);
    }
    const raw = await sendRaw(origin, requestText(`GET /${image.replaceAll(' ', '/')}`));
    assert.doesNotMatch(raw.text, /content-type: text\/html/i);
  });

  test('is in no page that we make, whatever the node holds', async () => {
    for (const path of ['/docs', '/docs/reference']) {
      const { text, headers } = await ask('GET', path);
      assert.match(headers['content-type'] ?? '', /^text\/html/);
      assert.ok(!text.includes('onerror'));
      assert.doesNotMatch(text, /<script|javascript:/i);
    }
  });
});

test('the output of a job is text to be kept, whatever it looks like', async () => {
  const { headers, status, text } = await ask('GET', `/api/v1/runs/${run}/log`);
  assert.equal(status, 200);
  assert.ok(text.includes(hostile), text);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(headers['content-disposition'] ?? '', /^attachment/);
  const followed = await ask('POST', `/api/v1/runs/${run}/follow`, {});
  assert.equal(followed.headers['content-type'], 'text/plain; charset=utf-8');
  assert.match(followed.headers['content-disposition'] ?? '', /^attachment/);
});

test('Cronicle #755, #931, #930: there is no JSONP, and no parameter makes a format', async () => {
  for (const query of ['callback=alert(1)', 'jsonp=x', 'format=js', 'format=html', '_callback=x']) {
    for (const path of ['/api/v1/jobs', `/api/v1/runs/${run}`, `/api/v1/runs/${run}/log`]) {
      const { headers, text } = await ask('GET', `${path}?${query}`);
      const type = headers['content-type'] ?? '';
      assert.match(type, /^(application\/(problem\+)?json|text\/plain)/, `${path}?${query}`);
      assert.ok(!text.startsWith('alert(1)') && !text.startsWith('x('), `${path}?${query}`);
    }
  }
  for (const accept of ['text/html', 'application/javascript', 'image/svg+xml']) {
    const headers = { accept };
    const answer = await askRaw(origin, { method: 'GET', path: '/api/v1/jobs', token, headers });
    assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  }
});

test('Cronicle #546: without a token nothing is told of how the node is set up', async () => {
  for (const { method, path, role } of world.routes) {
    if (role !== 'anyone' || method !== 'GET') continue;
    const { text } = await askRaw(origin, { method, path });
    for (const hidden of [new URL(world.url).password, world.url, 'onerror', process.cwd()]) {
      if (hidden !== '') assert.ok(!text.includes(hidden), `${path} tells ${hidden}`);
    }
  }
  const refused = await askRaw(origin, { method: 'GET', path: '/api/v1/cluster' });
  assert.equal(refused.status, 401);
  assert.ok(!refused.text.includes('worker'));
});

describe('log injection', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;

  test('on a terminal nothing of OSC 52, OSC 8, BEL or a lone CR arrives', async () => {
    const env = { STATECRON_URL: origin, STATECRON_TOKEN: token };
    for (const args of [
      ['job', 'show', job],
      ['job', 'list', '--json'],
      ['run', 'show', run],
      ['run', 'show', `x${escapes.replaceAll('\0', '')}`],
    ]) {
      const { stdout, stderr } = await runCli(args, { env });
      assert.doesNotMatch(stdout, dangerous, args.join(' '));
      assert.doesNotMatch(stderr, dangerous, args.join(' '));
      assert.ok(stdout.length + stderr.length > 0);
    }
  });

  test('no line of the node’s log is written by who asks', async () => {
    const text = encodeURIComponent(escapes);
    const lines = encodeURIComponent('\r\n{"level":50,"msg":"forged"}');
    for (const path of [`/${text}`, `/api/v1/jobs/${lines}`, `/api/v1/runs/${text}/log`]) {
      for (const method of ['GET', 'POST', 'DELETE']) await ask(method, path);
    }
    const headers = { 'idempotency-key': 'a\u0001b', 'user-agent': '\u001b]52' } as const;
    for (const [name, value] of Object.entries(headers)) {
      const head = ['Host: localhost', `Authorization: Bearer ${token}`, `${name}: ${value}`];
      const { status } = await sendRaw(origin, requestText('GET /api/v1/jobs', head));
      assert.ok(status === 200 || status === 400, `${name}: ${status}`);
    }
    assert.deepEqual(world.troubles, []);
  });

  test('a header of an answer is never what a request made of it', async () => {
    for (const text of ['x\r\nSet-Cookie: a=b', 'x\nX-Evil: 1', 'é', '☃']) {
      const words = { cron: '@daily', command: 'true' };
      const answer = await ask('POST', '/api/v1/jobs', { name: text, ...words });
      assert.ok([201, 422].includes(answer.status), answer.text);
      assert.equal(answer.headers['x-evil'], undefined);
      assert.equal(answer.headers['set-cookie'], undefined);
      const list = await ask('GET', `/api/v1/jobs?limit=1&text=${encodeURIComponent(text)}`);
      assert.equal(list.headers['x-evil'], undefined);
    }
  });
});
