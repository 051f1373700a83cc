import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { patient, startNodeProcess } from '../../node/nodeProcess.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { askCli } from '../askCli.ts';
import { type CliResult, runCli } from '../runCli.ts';
import { type Reach, reach, testBothWays } from '../ways.ts';

const command = `until [ -e "\${END:-/}" ]; do sleep 0.1; done`;

/** A `job run --wait` that goes on until its file is there. */
class Waiter {
  readonly result: Promise<CliResult>;
  readonly #file: string;
  #said = '';

  constructor(job: string, folder: string, cli: Reach) {
    this.#file = path.join(folder, `${Math.random()}`);
    this.result = runCli(['job', 'run', job, '--wait', '--env', `END=${this.#file}`], {
      ...cli,
      onNote: (chunk) => {
        this.#said += chunk;
      },
    });
  }

  async says(what: RegExp): Promise<void> {
    await until(`it says ${what}: ${this.#said}`, () => what.test(this.#said), 120_000);
  }

  end(): void {
    writeFileSync(this.#file, '');
  }

  /** Ends it when it has started; resolves to the lines that it has said. */
  async lines(): Promise<string[]> {
    await this.says(/: started on /);
    this.end();
    const { code, stderr } = await this.result;
    assert.equal(code, 0, stderr);
    return stderr.trimEnd().split('\n');
  }
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-waiting-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

testBothWays('who waits for a run reads what it waits for, and when it starts', async (t, way) => {
  const scope = lastFirst(t);
  const world = await makeStoreWorld(scope, 'mariadb');
  const cli = await reach(t, way, world);
  const folder = makeFolder(t);
  const add = ['--cron', '@manual', '--command', command, '--group', 'shop'];
  await askCli(['job', 'add', 'job', ...add, '--timezone', 'Asia/Tokyo'], cli);
  await askCli(['job', 'add', 'other', ...add], cli);
  await askCli(['job', 'add', 'pinned', ...add, '--on-node', 'nobody'], cli);
  await askCli(['limit', 'set', 'shop', '1'], cli);
  const first = new Waiter('job', folder, cli);
  await first.says(/^job: waits for a node, and none is live\.\n/);
  startNodeProcess(scope, world, 'web1', patient);
  await first.says(/^job: started on web1 \(run \S+\)\.\n/m);
  const second = new Waiter('job', folder, cli);
  const goesOn =
    /^job: waits for the run of the job that goes on: run \S+ on web1, since .* \+09:00\.$/m;
  await second.says(goesOn);
  const other = new Waiter('other', folder, cli);
  const limited = /^other: waits for the limit of its group shop \(1 run at once\)\.$/m;
  await other.says(limited);
  const noted = [
    ['job', goesOn],
    ['other', limited],
    ['pinned', /^pinned: waits for a node .* that is live may; see: statecron job why pinned\.$/m],
  ] as const;
  for (const [name, why] of noted) {
    const { stderr } = await askCli(['job', 'run', name], cli);
    assert.match(stderr, why);
    assert.match(stderr, /^See: statecron run show \S+$/m);
  }
  const ended = await Promise.all([first, second, other].map((waiter) => waiter.lines()));
  for (const lines of ended) {
    const isChange = (line: string, index: number): boolean => line !== lines[index - 1];
    assert.ok(lines.every(isChange), lines.join('\n'));
    const [, id] = /: started on web1 \(run (\S+)\)/.exec(lines.at(-2) ?? '') ?? [];
    assert.match(lines.at(-1) ?? '', new RegExp(`: succeeded, run \\d+ \\(${id}\\); see: `));
  }
  const quick = await askCli(['job', 'run', 'other', '--wait'], cli);
  // It may have been seen while it ran, where the machine is slow.
  const started = /^other: started on web1 \(run \S+\)\.\nother: succeeded, run /m;
  assert.match(quick.stderr, started);
});

testBothWays(
  'who waits reads of each attempt how it ended, and of none that none came',
  async (t, way) => {
    const scope = lastFirst(t);
    const world = await makeStoreWorld(scope, 'mariadb');
    const cli = await reach(t, way, world);
    const add = ['--cron', '@manual', '--command', 'echo no; exit 3'];
    const retry = ['--retries', '2', '--retry-delay', '2s', '--retry-backoff', 'exponential'];
    await askCli(['job', 'add', 'often', ...add, ...retry], cli);
    const given = ['--wait', '--wait-timeout', '100ms', '--request-id', 'r1'];
    const early = await askCli(['job', 'run', 'often', ...given], cli);
    assert.equal(early.code, 75);
    assert.match(early.stderr, /^statecron: The run of "often" had not begun in time\.$/m);
    assert.match(
      early.stderr,
      /^hint: It still waits. Take it back: statecron run stop r1. Wait again .+ r1$/m,
    );
    startNodeProcess(scope, world, 'web1', patient);
    const { code, stderr } = await askCli(['job', 'run', 'often', '--wait'], cli);
    assert.equal(code, 3);
    const ends = stderr.split('\n').filter((line) => /attempt|: failed/.test(line));
    const end = (attempt: number, then: string): RegExp =>
      new RegExp(
        `^often: attempt ${attempt} failed \\(exit 3\\), run (\\d+); the next one ${then}; ` +
          'see: statecron run log \\1$',
      );
    assert.match(ends[0] ?? '', end(1, 'starts at most 2s later'));
    assert.match(ends[1] ?? '', end(2, 'starts at most 4s later'));
    assert.match(
      ends[2] ?? '',
      /^often: failed \(exit 3\), run \d+.*; see: statecron run log \d+$/,
    );
    assert.equal(ends.length, 3, stderr);
  },
);
