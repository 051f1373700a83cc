import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseSchedule } from '../../../../src/domain/schedule/read/parseSchedule.ts';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw } from '../../world/askRaw.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const token = (await world.token('operator')).secret;

function preview(cron: string, more: object = {}) {
  const body = JSON.stringify({ cron, ...more });
  const headers = { 'content-type': 'application/json' };
  return askRaw(origin, { method: 'POST', path: '/api/v1/schedule/preview', token, headers, body });
}

/** The least of several, so that a pause of the machine is no time of ours. */
function leastMs(work: () => void): number {
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return Math.min(...times);
}

test('ReDoS: a megabyte of *,-/ is refused in the time that looking at it once takes', () => {
  const texts = ['*,-/', '*', ',', '-', '/', '0,', '1-1,', ' ', '@every ', '((a+)+)+$', '\\'];
  for (const piece of texts) {
    const text = piece.repeat(1_048_576 / piece.length);
    // A pass over the text in JavaScript, here and now, is the measure.
    let seen = 0;
    const passMs = leastMs(() => {
      for (let at = 0; at < text.length; at += 1) seen += text.charCodeAt(at);
    });
    const ownMs = leastMs(() => assert.ok('error' in parseSchedule(text)));
    assert.ok(seen > 0 && ownMs < 5 + 20 * passMs, `${piece}: ${ownMs} ms, a pass ${passMs} ms`);
  }
});

test('ReDoS: what is as long as it may be is no slower by a power', () => {
  const texts = ['*,', '*/1,', '0-59/1,', 'a', '?', 'L-', '1#'].map((piece) =>
    piece.repeat(Math.floor(512 / piece.length)),
  );
  for (const text of texts) {
    const [half, whole] = [text.slice(0, text.length / 2), text];
    const halfMs = leastMs(() => parseSchedule(`${half} * * * *`.slice(0, 512)));
    const wholeMs = leastMs(() => parseSchedule(whole));
    assert.ok(wholeMs < 5 + 16 * halfMs, `${text.slice(0, 8)}: ${wholeMs} ms, half ${halfMs} ms`);
  }
});

test('ReDoS: more than the bound never gets to the reader of schedules', async () => {
  const long = await preview('*,-/'.repeat(50_000));
  assert.equal(long.status, 422);
  assert.ok(long.text.length < 2_000, 'the answer is no echo');
  const some = await preview('*,'.repeat(400));
  assert.equal(some.status, 422);
  assert.equal(some.json.errors[0].field, 'cron');
});

test('a day that never comes ends the search for it, and every other request goes on', async () => {
  for (const cron of ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 29 2 *', '0 0 0 30 2 ? 2031']) {
    const answer = await preview(cron, {
      count: 1_000,
      dialect: cron.includes('?') ? 'quartz' : 'unix',
    });
    assert.ok([200, 422].includes(answer.status), `${cron}: ${answer.text}`);
  }
});

/** Put together, so that no reader takes them for templates of this very file. */
const opened = ['$', '#', '*', '@', '%'].map((sign) => `${sign}{`);
const templates = [
  ...opened.map((open) => `${open}7*7}`),
  ...['{{7*7}}', '<%= 7*7 %>', `\\u0024{7*7}`, '`id`', '$(id)', '%n%s%x'],
  `${opened[0]}T(java.lang.Runtime).getRuntime().exec("id")}`,
];

describe('cron-utils CVE-2020-26238, CVE-2021-41269: a schedule in an error text', () => {
  test('is no template: what stands in it comes back as it was, or not at all', async () => {
    for (const template of templates) {
      for (const cron of [template, `${template} * * * *`, `* * * * ${template}`]) {
        const { status, text, json } = await preview(cron);
        assert.equal(status, 422, cron);
        assert.ok(!/49|uid=\d|\[native/.test(json.detail.replaceAll(cron, '')), text);
        assert.equal(typeof json.errors[0].message, 'string');
      }
      const zone = await preview('* * * * *', { timezone: template });
      assert.equal(zone.status, 422, template);
    }
  });

  test('of any characters is answered by an error of one line, or by ticks', async () => {
    const piece = fc.oneof(
      fc.constantFrom('*', '?', 'L', 'W', '#', '-', ',', '/', ' ', '@every ', '@at ', 'TZ=', 'H'),
      fc.constantFrom(...templates),
      fc.integer({ min: 0, max: 99 }).map(String),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(texts, async (cron) => {
        const { status, json } = await preview(cron, { count: 2 });
        assert.ok([200, 400, 422].includes(status), `${status}`);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
        if (status !== 200) assert.doesNotMatch(json.detail, /[\u0000-\u001f\u007f-\u009f]/);
      }),
      { numRuns: 60 },
    );
  });
});
