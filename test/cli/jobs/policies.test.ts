import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobFields } from '../../../src/domain/job/fields.ts';
import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

const add = ['--cron', '0 3 * * *', '--command', 'true'];

/** Each policy by the field that it is kept in: its flags, its value, how it is taken away. */
const policies: Record<
  Exclude<keyof JobPolicies, 'description' | 'secretEnv'>,
  [string[], unknown, string[]]
> = {
  moreSchedules: [['--cron', '0 4 * * *', '--cron', '0 5 * * *'], ['0 5 * * *'], add.slice(0, 2)],
  dialect: [['--dialect', 'quartz'], 'quartz', ['--dialect', 'unix']],
  gap: [['--dst-gap', 'skip'], 'skip', ['--no-dst-gap']],
  fold: [['--dst-fold', 'both'], 'both', ['--no-dst-fold']],
  notBefore: [
    ['--not-before', '2020-01-01T00:00:00Z'],
    '2020-01-01T00:00:00Z',
    ['--no-not-before'],
  ],
  notAfter: [['--not-after', '2090-01-01T00:00:00Z'], '2090-01-01T00:00:00Z', ['--no-not-after']],
  exclude: [['--exclude', '2030-12-24'], ['2030-12-24'], ['--no-exclude']],
  overlap: [['--overlap', 'queue-all'], 'queue-all', ['--overlap', 'skip']],
  parallel: [['--parallel', '4'], 4, ['--parallel', '1']],
  misfire: [['--misfire', 'all'], 'all', ['--misfire', 'once']],
  catchUpMs: [['--catch-up', '2h'], 7_200_000, ['--no-catch-up']],
  onFence: [['--on-fence', 'finish'], 'finish', ['--on-fence', 'kill']],
  nodeLoss: [['--node-loss', 'rerun'], 'rerun', ['--node-loss', 'skip']],
  retry: [
    ['--retries', '3', '--retry-delay', '5s', '--no-retry-jitter', '--retry-on', 'timeout,failure'],
    {
      max: 3,
      delayMs: 5_000,
      backoff: 'exponential',
      delayMsMax: 3_600_000,
      jitter: false,
      on: ['failure', 'timeout'],
    },
    ['--retries', '0'],
  ],
  observed: [['--observed'], true, ['--no-observed']],
  startDeadlineMs: [['--start-deadline', '30s'], 30_000, ['--no-start-deadline']],
  splayMs: [['--splay', '10s'], 10_000, ['--splay', '0s']],
  runsMax: [['--max-runs', '7'], 7, ['--no-max-runs']],
  failuresMax: [['--pause-after-failures', '5'], 5, ['--no-pause-after-failures']],
  kind: [['--kind', 'every-node'], 'every-node', ['--kind', 'single']],
  target: [
    ['--on-label', 'disk=ssd', '--on-label', 'gpu', '--not-on-node', 'web9'],
    { labels: ['disk=ssd', 'gpu'], excludeNodes: ['web9'] },
    ['--no-on-label', '--no-not-on-node'],
  ],
  after: [['--after', 'first:end'], [{ job: 'first', on: 'end' }], ['--no-after']],
  group: [['--group', 'web'], 'web', ['--group', 'default']],
  tags: [['--tag', 'nightly', '--tag', 'db'], ['nightly', 'db'], ['--no-tag']],
  user: [['--user', 'nobody'], 'nobody', ['--no-user']],
  umask: [['--umask', '027'], '027', ['--no-umask']],
  nice: [['--nice', '-5'], -5, ['--no-nice']],
  memoryBytesMax: [['--memory-max', '1GiB'], 1024 ** 3, ['--no-memory-max']],
  cpuSecondsMax: [['--cpu-time-max', '2m'], 120, ['--no-cpu-time-max']],
  keepDays: [['--keep-days', '30'], 30, ['--no-keep-days']],
  keepRuns: [['--keep-runs', '1000'], 1000, ['--no-keep-runs']],
  notify: [
    ['--notify-to', 'ops', '--notify-on', 'failure,missed', '--ping', 'check'],
    { on: ['failure', 'missed'], to: ['ops'], ping: ['check'] },
    ['--no-notify-to', '--no-ping'],
  ],
};

/** Those that cannot go with the others in one job. */
const alone = new Set(['kind', 'dialect', 'moreSchedules', 'observed', 'parallel']);

testBothWays(
  'every policy is set by its flags, shown, kept by another edit, and taken away',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const show = async () => {
      type Shown = { definition: Record<string, unknown> };
      return (await askJsonCli<Shown>(['job', 'show', 'job'], cli)).definition;
    };
    const edit = async (args: string[]) => {
      const result = await askCli(['job', 'edit', 'job', ...args], cli);
      assert.equal(result.code, 0, `${args.join(' ')}: ${result.stderr}`);
    };
    assert.equal((await askCli(['job', 'add', 'first', ...add], cli)).code, 0);
    for (const target of [
      ['ops', '--mail', 'ops@example.com'],
      ['check', '--ping', 'https://hc.example.com/5e6f'],
    ]) {
      assert.equal((await askCli(['notify', 'add', ...target], cli)).code, 0);
    }
    const together = Object.entries(policies).filter(([field]) => !alone.has(field));
    const flags = together.flatMap(([, [set]]) => set);
    const added = await askCli(['job', 'add', 'job', ...add, ...flags], cli);
    assert.equal(added.code, 0, added.stderr);
    await edit(['--command', 'false']);
    const shown = await show();
    for (const [field, [, value]] of together) assert.deepEqual(shown[field], value, field);
    assert.equal(shown.format, 4, 'older nodes would notify nobody');
    const words = (await askCli(['job', 'show', 'job'], cli)).stdout;
    for (const word of [
      'queue-all',
      'disk=ssd',
      'first, on any end',
      '027',
      '2m a process',
      'nightly',
    ]) {
      assert.ok(words.includes(word), `${word} is not in ${words}`);
    }
    await edit(together.flatMap(([, [, , unset]]) => unset));
    const plain = await show();
    for (const [field] of together) assert.equal(plain[field], undefined, field);
    assert.equal(plain.format, undefined, 'older nodes can run it again');
    for (const [field, [set, value, unset]] of Object.entries(policies)) {
      if (!alone.has(field)) continue;
      await edit(set);
      assert.deepEqual((await show())[field], value, field);
      await edit(unset);
      assert.equal((await show())[field], undefined, field);
    }
  },
);

testBothWays(
  'a job says what it is for, in lists and files too, until that is taken away',
  async (t, way) => {
    const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
    const done = async (args: string[]) => {
      const { code, stdout, stderr } = await askCli(args, cli);
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    const said = async () => {
      const [job] = await askJsonCli<{ description: string | null }[]>(['job', 'list'], cli);
      return job?.description;
    };
    await done(['job', 'add', 'job', ...add, '--description', 'What accounting waits for.']);
    await done(['job', 'edit', 'job', '--command', 'false']);
    assert.equal(await said(), 'What accounting waits for.');
    assert.match(await done(['job', 'show', 'job']), /^description +What accounting waits for\.$/m);
    assert.match(await done(['export']), /^ {4}description: What accounting waits for\.$/m);
    await done(['job', 'edit', 'job', '--no-description']);
    assert.equal(await said(), null);
  },
);

test('every policy has a flag, and every flag is in the help', async () => {
  const help = (await askCli(['job', 'edit', '--help'])).stdout;
  for (const { flag, without } of jobFields) {
    assert.ok(help.includes(`--${flag}`), flag);
    if (without !== undefined) assert.ok(help.includes(`--no-${flag}`), flag);
  }
});

const wrong: [string[], RegExp][] = [
  [['--overlap', 'never'], /--overlap.*skip, queue, queue-all, replace, terminate/],
  [['--parallel', '0'], /--parallel.*1 to 1000/],
  [['--misfire', 'some'], /--misfire.*once, skip, all/],
  [['--catch-up', '5'], /--catch-up.*units/],
  [['--node-loss', 'x'], /--node-loss.*skip, rerun/],
  [['--retries', '1000'], /--retries.*0 to 100/],
  [['--retry-delay', '5s'], /--retries is missing/],
  [['--retries', '1', '--retry-on', 'bad'], /--retry-on.*failure, timeout, node-loss/],
  [['--retries', '1', '--retry-backoff', 'x'], /--retry-backoff.*fixed, exponential/],
  [['--kind', 'some'], /--kind.*single, every-node/],
  [['--on-label', '='], /--on-label: .*label/],
  [['--not-on-node', ''], /--not-on-node: .*empty/],
  [['--group', ' x'], /--group: .*blank/],
  [['--description', ' '], /--description: says nothing/],
  [['--description', 'x'.repeat(1_001)], /--description: has 1001 characters; 1000 are/],
  [['--description', '\u001b[2J'], /--description: has a control character/],
  [['--tag', 'a b'], /--tag: "a b" is no tag/],
  [['--umask', '999'], /--umask: /],
  [['--nice', '20'], /--nice.*-20 to 19/],
  [['--memory-max', '1X'], /--memory-max.*64KiB/],
  [['--cpu-time-max', '500ms'], /--cpu-time-max: /],
  [['--keep-days', '0'], /--keep-days.*1 to/],
  [['--after', 'job'], /--after: "job" would follow itself/],
  [['--after', 'a', '--after', 'a:end'], /--after: "a" is named twice/],
  [['--not-before', 'tomorrow'], /--not-before: /],
  [['--dst-gap', 'x'], /--dst-gap.*skip, shift/],
  [['--dialect', 'x'], /--dialect.*unix, quartz/],
];

for (const [flags, expected] of wrong) {
  test(`job add ${flags.join(' ')} is refused with 2, naming the flag`, async () => {
    const result = await askCli(['job', 'add', 'job', ...add, ...flags]);
    assert.equal(result.code, 2, result.stderr);
    assert.match(result.stderr, expected);
    assert.equal(result.stdout, '');
  });
}

test('an edit that names nothing in a list is told how to take the list away', async () => {
  const { code, stderr } = await askCli(['job', 'edit', 'job', '--on-node', '']);
  assert.equal(code, 2);
  assert.match(stderr, /--on-node.*--no-on-node takes it away/);
});

testBothWays('a list is narrowed by group and tags', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  await askCli(['job', 'add', 'one', ...add, '--group', 'web', '--tag', 'a', '--tag', 'b'], cli);
  await askCli(['job', 'add', 'two', ...add, '--group', 'web', '--tag', 'a'], cli);
  await askCli(['job', 'add', 'three', ...add, '--tag', 'b'], cli);
  const list = async (...flags: string[]) =>
    (await askJsonCli<{ job: string }[]>(['job', 'list', ...flags], cli)).map(({ job }) => job);
  assert.deepEqual(await list('--group', 'web'), ['one', 'two']);
  assert.deepEqual(await list('--group', 'default'), ['three']);
  assert.deepEqual(await list('--tag', 'a', '--tag', 'b'), ['one']);
  assert.deepEqual(await list('--tag', 'b'), ['one', 'three']);
  const none = await askCli(['job', 'list', '--group', 'none'], cli);
  assert.equal(none.code, 1, none.stderr);
});
