import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanHistory } from '../clean/cleanHistory.ts';
import { policyPlan, richPlan } from '../clean/plans.ts';
import { gatherEvidence } from '../evidence.ts';
import { judge } from '../judge.ts';
import { childOf, type Draft, draftOf, forget, need, stepInto } from '../mutants/draft.ts';
import { policyMutants } from '../mutants/policyMutants.ts';
import { recordMutants } from '../mutants/recordMutants.ts';
import { startMutants } from '../mutants/startMutants.ts';
import { stateMutants } from '../mutants/stateMutants.ts';
import type { Violation } from '../violation.ts';
import { concernedLaunches } from './concernedLaunches.ts';
import { type Explained, explainViolation } from './explainViolation.ts';
import { claimantsOf } from './launchFacts.ts';

const clean = cleanHistory(richPlan);
const cleanPolicies = cleanHistory(policyPlan);

function explain(draft: Draft, violation: Violation): Explained {
  const evidence = gatherEvidence(draft);
  const { startedMs } = draft.about;
  const faults = [...draft.faults].sort((a, b) => a.fromMs - b.fromMs);
  const seconds = (atMs: number) => Math.round(atMs - startedMs) / 1_000;
  return explainViolation(
    { evidence, faults, seconds, claimants: claimantsOf(evidence) },
    violation,
  );
}

function brokenBy(fact: string): { draft: Draft; violation: Violation } {
  const draft = draftOf(clean);
  const mutant = need(startMutants.find((each) => each.fact === fact));
  mutant.breakIt(draft);
  return { draft, violation: need(judge(draft).find(({ rule }) => rule === mutant.rule)) };
}

describe('each broken history is explained', () => {
  const plain = [...startMutants, ...recordMutants, ...stateMutants];
  const mutants = [
    ...plain.map((mutant) => ({ ...mutant, base: clean })),
    ...policyMutants.map((mutant) => ({ ...mutant, base: cleanPolicies })),
  ];
  for (const { rule, fact, breakIt, base } of mutants) {
    test(`${rule} of ${fact}`, () => {
      const draft = draftOf(base);
      breakIt(draft);
      for (const violation of judge(draft)) {
        const { meaning, facts, from, until } = explain(draft, violation);
        for (const sentence of Object.values(meaning)) assert.ok(sentence.length > 20, sentence);
        const broken = facts.filter(({ text }) => text === `here ${violation.rule} was broken`);
        assert.equal(broken.length, 1);
        for (const { at } of facts) assert.ok(from <= at && at <= until, `${at}`);
      }
    });
  }
});

test('the launches that a violation names stand side by side, and no others', () => {
  const { draft, violation } = brokenBy('two runs that covered each other whole');
  const concerned = concernedLaunches(gatherEvidence(draft), violation);
  const roles = concerned.map(({ role }) => role);
  assert.deepEqual(roles, ['accused', 'concerned']);
  assert.deepEqual(
    concerned.map(({ launchId }) => launchId),
    violation.launches,
  );
});

test('beside a launch that is named alone stand the ones before and after it in its slot', () => {
  const { draft, violation } = brokenBy('a child that began 2 ms early');
  const concerned = concernedLaunches(gatherEvidence(draft), violation);
  assert.deepEqual(
    concerned.map(({ role }) => role),
    ['before', 'accused', 'after'],
  );
});

test('a tick without a launch is shown between the launches before and after it', () => {
  const { draft, violation } = brokenBy('a tick that the system forgot altogether');
  const { launches, missing } = explain(draft, violation);
  assert.deepEqual(launches.map(({ role }) => role).sort(), ['after', 'before']);
  assert.ok(missing !== null && missing.until > missing.from);
});

test('of many launches the accused and the first are kept, and the others counted', () => {
  const { draft, violation } = brokenBy('two runs that covered each other whole');
  const launches = draft.processes.slice(0, 9).map(({ launchId }) => launchId);
  const accused = need(launches.at(-1));
  const many = { ...violation, launches, launchId: accused };
  const kept = concernedLaunches(gatherEvidence(draft), many);
  assert.equal(kept.length, 5);
  assert.ok(kept.some(({ launchId, role }) => launchId === accused && role === 'accused'));
  assert.equal(explain(draft, many).more, 4);
});

test('facts say which node wrote a step, and that a tick is next once more', () => {
  const { draft, violation } = brokenBy('two runs that covered each other whole');
  const idle = stepInto(draft, need(violation.launchId), 'idle');
  idle.after.cursorDatabaseMs = idle.before.scheduledForDatabaseMs;
  const { facts } = explain(draft, violation);
  const texts = facts.filter(({ from }) => from === 'slot row').map(({ text }) => text);
  assert.ok(
    texts.some((text) => /idle → prepare for tick \d\d:\d\d:\d\d \(by node [abc]\)/.test(text)),
  );
  assert.ok(texts.some((text) => text.includes('the same once more, though it was executing')));
});

test('a run row that is missing is told when its slot was given back', () => {
  const draft = draftOf(clean);
  const lost = need(draft.runs.find(({ result }) => result === 'lost'));
  draft.runs.splice(draft.runs.indexOf(lost), 1);
  const violation = need(
    judge(draft).find(({ rule, launchId }) => rule === 'C6' && launchId === lost.launchId),
  );
  const { facts } = explain(draft, violation);
  const missing = facts.findIndex(({ text }) => text === `${lost.launchId} no run row was written`);
  assert.equal(facts[missing]?.from, 'run row');
  const freed = facts.find(({ text }) => {
    return text.startsWith(`${lost.launchId} `) && text.includes('→ idle');
  });
  assert.equal(facts[missing]?.at, need(freed).at);
});

test('facts say who ended a session, and that nothing of it may live from then on', () => {
  const draft = draftOf(clean);
  const lost = need(draft.runs.find(({ result }) => result === 'lost'));
  const process = need(draft.processes.find(({ launchId }) => launchId === lost.launchId));
  const session = need(draft.sessions.find(({ sessionId }) => sessionId === process.sessionId));
  session.endedWhy = 'no renewal of its lease was seen for 5.0 s';
  process.lastSeenMs += 20_000;
  const [end] = draft.audit.filter((row) => row.table === 'session' && row.after === 'ended');
  const join = draft.audit.find((row) => row.table === 'session' && row.node === 'c');
  need(end).connectionId = 4_321;
  need(join).connectionId = 4_321;
  const violation = need(judge(draft).find(({ rule }) => rule === 'C5'));
  const { facts } = explain(draft, violation);
  const ended = need(facts.find(({ from }) => from === 'session row'));
  assert.match(ended.text, /was ended \(by node c\): no renewal/);
  const due = need(facts.find(({ from }) => from === 'design'));
  assert.equal(due.at, ended.at);
  assert.match(due.text, /^by now nothing of s\w+ may live: its lease was over \(TTL \d+ s\), /);
  session.endedWhy = 'it was stopped';
  const other = explain(draft, violation).facts.find(({ from }) => from === 'design');
  assert.match(other?.text ?? '', /may live$/);
});

test('what is asked of the job while it goes on is among the facts', () => {
  const draft = draftOf(clean);
  const { launchId, startedMs } = childOf(draft, 'asked', 28_000);
  const asked = need(draft.operations.find(({ job }) => job === 'asked'));
  draft.operations.push({ ...asked, kind: 'stop', invokedMs: startedMs, answeredMs: startedMs });
  forget(draft, launchId);
  const violation = need(judge(draft).find(({ rule }) => rule === 'C1'));
  const { facts } = explain(draft, violation);
  const operation = facts.find(({ from }) => from === 'operation');
  assert.match(operation?.text ?? '', /^stop.* by .*: ok$/);
});

test('the death of a node is what mattered to a launch that it held', () => {
  const draft = draftOf(clean);
  const death = need(draft.faults.find(({ kind }) => kind === 'node killed'));
  draft.faults.push({ ...death, target: 'c', detail: 'another' });
  const lost = need(draft.runs.find(({ result }) => result === 'lost'));
  draft.runs.splice(draft.runs.indexOf(lost), 1);
  const violation = need(judge(draft).find(({ launchId }) => launchId === lost.launchId));
  const { faults, isLikely } = explain(draft, violation);
  const sorted = [...draft.faults].sort((a, b) => a.fromMs - b.fromMs);
  assert.equal(sorted[need(faults[0]).number - 1]?.target, 'a');
  assert.ok(isLikely);
});
