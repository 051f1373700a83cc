import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeYamlJobs } from '../../../src/cli/jobFile/exportAction.ts';
import { readJobFile } from '../../../src/cli/jobFile/readJobFile.ts';
import { writeCrontab } from '../../../src/cli/jobFile/writeCrontab.ts';
import { definitionOf } from '../../../src/domain/job/edit/buildDefinition.ts';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobFields } from '../../../src/domain/job/fields.ts';
import type { Field } from '../../../src/domain/job/fieldTable/field.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { NotifyPolicy } from '../../../src/domain/job/jobPolicies.ts';
import { readYamlJobs } from '../../../src/domain/jobFile/readYamlJobs.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const anyText = fc.oneof(
  text,
  fc.constantFrom('null', '~', 'true', '0x1', '027', ' x\n\ny \n', '|'),
);
const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9:=.-]{0,8}$/), {
  minLength: 1,
  maxLength: 3,
});
const ms = fc.integer({ min: 1, max: 1_000_000_000 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Fields whose values have to do with each other, or are written in more ways than one. */
const own = {
  description: some(anyText),
  moreSchedules: some(fc.constant(['0 5 * * *', '@daily'])),
  dialect: some(fc.constant('quartz' as const)),
  gap: some(fc.constantFrom('skip' as const, 'shift' as const)),
  fold: some(fc.constantFrom('first' as const, 'second' as const, 'both' as const)),
  notBefore: some(fc.constant('2020-01-01T00:00:00Z')),
  notAfter: some(fc.constant('2090-01-01T00:00:00Z')),
  exclude: some(fc.constant(['2030-12-24', 'SUN'])),
  overlap: some(fc.constantFrom('queue' as const, 'queue-all' as const, 'replace' as const)),
  parallel: some(fc.integer({ min: 2, max: 100 })),
  misfire: some(fc.constantFrom('skip' as const, 'all' as const)),
  retry: some(
    fc.record({
      max: fc.integer({ min: 1, max: 100 }),
      delayMs: ms,
      backoff: fc.constantFrom('fixed' as const, 'exponential' as const),
      delayMsMax: ms,
      jitter: fc.boolean(),
      on: fc.constantFrom(['failure' as const], ['failure' as const, 'timeout' as const]),
    }),
  ),
  target: some(fc.record({ labels: names, excludeNodes: names })),
  after: some(
    fc.constant([
      { job: 'a:b', on: 'end' as const },
      { job: 'x:end', on: 'success' as const },
    ]),
  ),
  tags: some(names),
  umask: some(fc.constant('027')),
  memoryBytesMax: some(fc.integer({ min: 1, max: 2 ** 45 })),
  cpuSecondsMax: some(fc.integer({ min: 1, max: 10_000 })),
  notify: some(
    fc.constantFrom<NotifyPolicy>(
      { on: ['failure', 'long-running'], to: ['ops', 'hook'], longMs: 90_000 },
      { on: [], to: [], ping: ['check'] },
      { on: ['recovery'], to: ['ops'], ping: ['check'] },
    ),
  ),
};

const arbitraryOf = (field: Field): fc.Arbitrary<unknown> => {
  switch (field.kind) {
    case 'duration':
    case 'size':
    case 'number':
      return fc.integer({ min: field.least, max: field.most }).filter((n) => n !== field.default);
    case 'choice':
      return fc.constantFrom(
        ...Object.keys(field.choices).filter((each) => each !== field.default),
      );
    case 'choices':
      return fc.constant([...field.choices]);
    case 'variables':
      return fc.constant({ A: 'value' });
    case 'list':
      return fc.constant(['x', 'y']);
    case 'switch':
      return fc.constant(!field.default);
    default:
      return fc.constant('x');
  }
};

/** The fields that need no values of their own. */
const others = fc.record(
  Object.fromEntries(
    jobFields
      .filter(({ format, stored }) => format > 1 && !((stored.split('.', 1)[0] as string) in own))
      .map((field) => [field.stored, some(arbitraryOf(field))]),
  ),
);

const definitions = fc
  .tuple(
    fc.tuple(fc.record(own), others).map(([one, other]) => ({ ...one, ...other })),
    fc.record({
      name: anyText,
      command: anyText,
      timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
      env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,6}$/), anyText, { maxKeys: 3 }),
      cwd: fc.option(text),
      stdin: fc.option(anyText),
      timeoutMs: fc.option(ms),
      graceMs: fc.integer({ min: 0, max: 10_000 }),
      outputBytesMax: fc.integer({ min: 0, max: 8 * 1024 * 1024 }),
      leftovers: fc.constantFrom('kill' as const, 'wait' as const, 'leave' as const),
    }),
  )
  .map(([policies, own]): JobDefinition => {
    const set = Object.entries({ ...policies, ...own }).filter(([, value]) => value !== undefined);
    const definition = { schedule: '30 3 * * *', ...Object.fromEntries(set) } as JobDefinition;
    // Plain objects, as they come out of a database.
    return JSON.parse(JSON.stringify(withLowestFormat(definition))) as JobDefinition;
  });

test('a definition written as YAML is read as the same definition', () => {
  fc.assert(
    fc.property(definitions, (definition) => {
      const yaml = writeYamlJobs([{ definition, pause: null }], null);
      const { jobs, faults } = readYamlJobs(yaml);
      assert.deepEqual(faults, [], yaml);
      assert.equal(jobs.length, 1);
      const [job] = jobs;
      assert.ok(job);
      assert.equal(job.name, definition.name);
      assert.deepEqual(definitionOf(job.name, job.fields), definition, yaml);
    }),
    { numRuns: 300 },
  );
});

test('what a crontab is written of is read back as the same jobs, or reported as left out', () => {
  const lines = fc.array(definitions, { minLength: 1, maxLength: 4 });
  let said = 0;
  fc.assert(
    fc.property(lines, (all) => {
      const jobs = all.map(
        (each, place): JobDefinition => ({
          ...jobDefaults,
          name: `job ${place}`,
          schedule: each.schedule,
          timezone: each.timezone,
          command: each.command,
          env: each.env,
          stdin: each.stdin,
          ...(each.overlap === undefined ? {} : { overlap: each.overlap }),
        }),
      );
      const present = jobs.map((definition) => ({ definition, pause: null }));
      const { text: crontab, leftOut, inPart } = writeCrontab(present, { timezone: 'UTC' });
      const file = readJobFile('crontab', crontab, { format: 'crontab', timezone: 'UTC' }, 0);
      assert.deepEqual(file.faults, [], crontab);
      const current = new Map(jobs.map((job) => [job.name, withLowestFormat(job)]));
      const read = [...file.make(current)].flatMap((job) => ('define' in job ? [job] : []));
      for (const job of read) {
        const now = current.get(job.name) ?? null;
        assert.deepEqual(job.define(now), now, crontab);
      }
      said += read.length;
      assert.equal(read.length + leftOut.length, jobs.length);
      const partial = new Set(inPart.map(({ name }) => name));
      for (const { name } of read)
        assert.equal(partial.has(name), current.get(name)?.overlap !== undefined);
    }),
    { numRuns: 200 },
  );
  assert.ok(said > 30, `only ${said} jobs were said`);
});

const bad: [string, string, RegExp][] = [
  ['no YAML', 'jobs:\n  a: [1', /^2:|^1:/],
  ['an unknown field', 'jobs:\n  a:\n    cron: "@daily"\n    when: x', /^4:a:"when" is no field/],
  ['a mistyped field', 'jobs:\n  a:\n    retryDelay: 1s', /Did you mean "retry-delay"\?$/],
  ['a field twice', 'jobs:\n  a:\n    cron: x\n    cron: y', /^4:.*unique/i],
  ['a job twice', 'jobs:\n  a: {}\n  a: {}', /^3:.*unique/i],
  ['a bad duration', 'jobs:\n  a:\n    command: x\n    timeout: 5', /^4:a:timeout: .*units/],
  ['a bad choice', 'jobs:\n  a:\n    overlap: no', /^3:a:overlap: "no" is none of skip, queue/],
  ['a list for one', 'jobs:\n  a:\n    command: [a, b]', /^3:a:command: one value/],
  ['a block for a text', 'jobs:\n  a:\n    command: {a: b}', /^3:a:command: a value is required/],
  ['a job without fields', 'jobs:\n  a: daily', /^2:a:its fields are needed/],
  ['an unknown key at the top', 'job:\n  a: {}', /^1:null:"job": the keys at the top/],
  ['a list of jobs', '- a', /^1:null:the keys at the top/],
  ['a list below jobs', 'jobs:\n  - name: a', /^1:null:jobs is a list: .*\bNAME:/],
  ['a bad switch', 'jobs:\n  a:\n    retry-jitter: x', /^3:a:retry-jitter: true or false/],
];

for (const [what, yaml, expected] of bad) {
  test(`a file with ${what} is refused by its line`, () => {
    const [fault] = readYamlJobs(yaml).faults;
    assert.ok(fault);
    assert.match(`${fault.line}:${fault.job}:${fault.message}`, expected);
  });
}

test('fields may be empty, lists in one line, and values shared', () => {
  const yaml = `group: web
jobs:
  a:
    cron: ['@daily', '@weekly']
    command: "true"
    timeout:
    cwd: ~
    timezone: false
    umask: 027
    env: &shared { A: 1, B: 'null' }
    tag: [x, y]
  b: { cron: '@manual', command: echo, env: *shared, retry-on: [timeout, failure] }
`;
  const { group, jobs, faults } = readYamlJobs(yaml);
  assert.equal(group, 'web');
  const [, second] = jobs;
  assert.deepEqual(faults, []);
  assert.deepEqual(jobs[0]?.fields, {
    cron: ['@daily', '@weekly'],
    command: 'true',
    timezone: 'false',
    umask: '027',
    env: ['A=1', 'B=null'],
    tag: ['x', 'y'],
  });
  assert.deepEqual(second?.fields.env, ['A=1', 'B=null']);
  assert.deepEqual(second?.fields.retryOn, ['failure', 'timeout']);
});
