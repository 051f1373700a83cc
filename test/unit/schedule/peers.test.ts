import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSchedule } from '../../../src/domain/schedule/read/parseSchedule.ts';
import { type Asked, ours, type Peer, peerRules } from './peerRules.ts';

/** [peer, expression, zone, asked from, next instants or null when it refuses, watched until] */
type Line = [Peer, string, string, string, string[] | null, string?];
const lines = readLines<Line>('peers.jsonl');

/** What a peer's own test table says of an expression: its first tick, what is none, or all. */
type Fact = [Peer, string, string, string, 'first' | 'notFirst' | 'all', string | string[] | null];
const facts = readLines<Fact>('peerTests.jsonl');

/** How many questions each peer was asked: 2,838. */
const questions: Record<Peer, number> = { robfig: 767, cronexpr: 767, quartz: 758, crond: 546 };

test('a peer answers as we do, or as its class of differences says', () => {
  const held: Record<Peer, number> = { robfig: 0, cronexpr: 0, quartz: 0, crond: 0 };
  for (const [, , , , , peers] of readLines<string[]>('oracle.jsonl')) {
    for (const peer of (peers ?? '').split(' ').filter(Boolean)) held[peer as Peer] += 1;
  }
  const used = new Set<string>();
  for (const [peer, expression, zone, from, next, until = null] of lines) {
    held[peer] += 1;
    const asked: Asked = { expression, zone, from, until };
    if (isSame(ourAnswer(peer, asked), next, until)) continue;
    const rule = peerRules[peer]
      .filter(({ applies }) => applies(asked, next))
      .find(({ answer }) => isSame(answer(asked, 5, next), next, until));
    if (rule === undefined) assert.fail(`no class explains ${peer}: ${expression} ${zone} ${from}`);
    used.add(`${peer} ${rule.name}`);
  }
  assert.deepEqual(held, questions);
  for (const peer of Object.keys(questions) as Peer[]) {
    for (const { name } of peerRules[peer])
      assert.ok(used.has(`${peer} ${name}`), `unused: ${name}`);
  }
});

test("the peers' own test tables hold here, but where a class says otherwise", () => {
  let explained = 0;
  for (const [peer, expression, zone, from, kind, fact] of facts) {
    const asked: Asked = { expression, zone, from, until: null };
    const holds = (answer: string[] | null): boolean => {
      if (kind === 'all')
        return JSON.stringify((answer ?? []).slice(0, fact?.length)) === JSON.stringify(fact);
      return ((answer?.[0] ?? null) === fact) === (kind === 'first');
    };
    if (holds(ourAnswer(peer, asked))) continue;
    const rules = peerRules[peer].filter(({ applies }) => applies(asked, null));
    assert.ok(
      rules.some(({ answer }) => holds(answer(asked, 5, null))),
      `${peer} ${expression} ${from}`,
    );
    explained += 1;
  }
  assert.ok(facts.length === 136 && explained < 10, `${explained} of ${facts.length}`);
});

test('texts of ten thousand characters that every scheduler refuses are refused', () => {
  const texts = [
    `CRON_TZ=${'A'.repeat(5000)} 0 0 * * *`,
    `${'9'.repeat(10_000)} * * * *`,
    `${'1-'.repeat(5000)}1 * * * *`,
    `${'H(0-1)'.repeat(1700)} * * * *`,
    `@${'y'.repeat(10_000)}`,
    `${'L'.repeat(10_000)} * * * *`,
  ];
  for (const text of texts) assert.ok('error' in parseSchedule(text, { jobName: 'job' }));
});

function ourAnswer(peer: Peer, asked: Asked): string[] | null {
  return ours(asked, 5, {}, peer === 'quartz' ? 'quartz' : 'unix');
}

/**
 * Whether an answer is a peer's. Five were asked for, fewer mean that there are no more, or none
 * while it was watched. Several runs at one instant are one.
 */
function isSame(answer: string[] | null, theirs: string[] | null, until: string | null): boolean {
  if (answer === null || theirs === null) return answer === theirs;
  const watched = answer.filter((at) => until === null || Date.parse(at) <= Date.parse(until));
  const each = [...new Set(theirs)];
  const compared = theirs.length < 5 ? watched.slice(0, 5) : watched.slice(0, each.length);
  return JSON.stringify(compared) === JSON.stringify(each);
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
