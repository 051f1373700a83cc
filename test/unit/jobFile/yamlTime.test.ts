import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followOrder, planApply } from '../../../src/domain/jobFile/planApply.ts';
import { readYamlFile } from '../../../src/domain/jobFile/readYamlFile.ts';
import { readYamlJobs } from '../../../src/domain/jobFile/readYamlJobs.ts';

/** As much as a request may have. */
const charactersMax = 256 * 1024;
const listed = (count: number, item: (place: string) => string): string =>
  Array.from({ length: count }, (_, place) => item(place.toString(36))).join('');

/** Each took the square of its length: seconds to minutes, in which a node has no heartbeat. */
const slow = {
  aliases: `jobs: {a: {cron: x, command: y, after: [&a z${',*a'.repeat(80_000)}]}}`,
  jobs: `jobs: {${listed(50_000, (place) => `${place},`)}}`,
  words: `jobs: {a: {${listed(45_000, (place) => `${place},`)}}}`,
  variables: `jobs: {a: {env: {${listed(40_000, (place) => `a${place},`)}}}}`,
  brackets: `jobs: {${'}'.repeat(250_000)}`,
  tags: `jobs: {a: {after: [${'!a b,'.repeat(50_000)}]}}`,
};

test('ReDoS: a file of jobs is read in the time of its length, whatever it is made of', () => {
  for (const [name, text] of Object.entries(slow)) {
    assert.ok(text.length <= charactersMax, `${name}: ${text.length}`);
    const before = process.cpuUsage();
    const { faults } = readYamlJobs(text);
    const { user, system } = process.cpuUsage(before);
    assert.ok(faults.length <= 1_000, `${name}: ${faults.length} faults`);
    const ms = (user + system) / 1_000;
    assert.ok(ms < 5_000, `${name}: ${ms} ms`);
  }
});

test('aliases that repeat a long list again and again are refused', () => {
  const [list, count] = [listed(20_000, (place) => `${place},`), 4_000];
  const jobs = listed(count, (place) => `, j${place}: {cron: x, command: y, after: *list}`);
  const text = `jobs: {a: {cron: x, command: y, after: &list [${list}]}${jobs}}`;
  const { faults } = readYamlJobs(text);
  assert.match(faults[0]?.message ?? '', /aliases repeat too much/);
  const words = listed(20_000, (place) => `${place}: x,`);
  const again = `jobs: {a: &job {${words}}${listed(4_000, (place) => `, j${place}: *job`)}}`;
  assert.ok(readYamlJobs(again).faults.length > 0);
});

test('an alias stands for what was last called so before it', () => {
  const job = (name: string, env: string): string =>
    `  ${name}: {cron: '@daily', command: x, env: ${env}}\n`;
  const before = job('a', '&v {A: one}') + job('b', '*v');
  const text = `jobs:\n${before}${job('c', '&v {A: two}')}${job('d', '*v')}`;
  const { faults, jobs } = readYamlJobs(text);
  assert.deepEqual(faults, []);
  const values = jobs.map(({ fields }) => JSON.stringify(fields.env));
  assert.deepEqual([values[0], values[2]], [values[1], values[3]]);
  assert.notEqual(values[0], values[2]);
  const wrong = readYamlJobs(`${text}${job('e', '*w')}`);
  assert.deepEqual(wrong.faults, [{ line: 6, job: null, message: '*w stands for nothing here' }]);
});

test('a chain of jobs may be as long as a file, in either order', () => {
  const count = 5_500;
  const jobs = Array.from({ length: count }, (_, place) => {
    const after = place + 1 < count ? `, after: j${place + 1}` : '';
    return `  j${place}: {cron: '@manual', command: x${after}}\n`;
  });
  for (const lines of [jobs, [...jobs].reverse()]) {
    const read = readYamlFile(`jobs:\n${lines.join('')}`, {}, 0);
    const wanted = [...read.make(new Map())].flatMap((job) => ('define' in job ? [job] : []));
    const { steps } = planApply(wanted, { jobs: new Map(), removable: [] });
    assert.deepEqual([steps.length, steps[0]?.job], [count, `j${count - 1}`]);
  }
});

test('a circle is named from where it begins, and each job still stands in the order once', () => {
  const job = (name: string, ...after: string[]) =>
    ({ name, after: after.map((each) => ({ job: each, on: 'success' })) }) as never;
  const all = [job('in', 'a'), job('a', 'b'), job('b', 'c', 'x'), job('c', 'a')];
  const { cycle, ordered } = followOrder(all);
  assert.deepEqual(cycle, ['a', 'b', 'c']);
  assert.deepEqual(ordered.map(({ name }) => name).sort(), ['a', 'b', 'c', 'in']);
});
