import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { routeExamples } from '../../../src/http/examples/routeExamples.ts';
import { fileScope } from '../../support/testEngine.ts';
import { succeeded } from '../../support/testNode.ts';
import { askRaw } from '../world/askRaw.ts';
import { makeWholeApi } from '../world/wholeApi.ts';
import { shapeFault } from './shapeFault.ts';

const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'not run: there is no curl';

interface Shown {
  readonly key: string;
  readonly source: string;
  /** What a good answer has. */
  readonly status: number;
}

/** What the examples name has to be made before, and goes at the end. */
const first = [
  ...['POST /api/v1/jobs', 'PUT /api/v1/limits/{group}', 'POST /api/v1/notify/targets'],
  ...['PUT /api/v1/groups/{group}', 'POST /api/v1/tokens', 'POST /api/v1/jobs/{job}/run'],
  ...['POST /api/v1/runs/{run}/live', 'POST /api/v1/runs/{run}/stop'],
];

const world = await makeWholeApi(fileScope);
const { secret } = await world.token('admin');
const shown = inOrder(await readShown());
let folder = '';
let launch: Launch | undefined;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-curl-'));
  await world.join('web1');
  await writeFile(path.join(folder, 'token'), `${secret}\n`, { mode: 0o600 });
  // What is printed is run as it is; this is how its status becomes known.
  await writeFile(path.join(folder, '.curlrc'), 'write-out = "\\n%{http_code}"\n');
});
fileScope.after(() => rm(folder, { recursive: true, force: true }));

async function readShown(): Promise<Shown[]> {
  const { json } = await askRaw(world.origin, { method: 'GET', path: '/openapi.json' });
  const paths = json.paths as Record<string, Record<string, Described>>;
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, { responses, 'x-codeSamples': samples }]) => {
      const key = `${method.toUpperCase()} ${at}`;
      const [sample] = samples ?? [];
      return {
        key,
        source: sample?.source ?? '',
        status: Number(Object.keys(responses).sort()[0]),
      };
    }),
  );
}

interface Described {
  readonly responses: object;
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
}

/** As the document has them, but for what others need. */
function inOrder(all: readonly Shown[]): Shown[] {
  const rank = ({ key }: Shown): number => {
    if (first.includes(key)) return first.indexOf(key) - first.length;
    if (key.startsWith('DELETE')) return 2;
    return key.endsWith('/retry') ? 1 : 0;
  };
  return [...all].sort((one, other) => rank(one) - rank(other));
}

/** Runs what the document prints; a stream without an end is left when it has begun. */
async function runShown(source: string): Promise<{ status: number; text: string }> {
  const bash = spawn('bash', ['-c', source], {
    env: {
      ...{ PATH: process.env.PATH, CURL_HOME: folder, HOME: folder, LANG: 'C.UTF-8' },
      ...{ STATECRON_URL: world.origin, STATECRON_TOKEN_FILE: path.join(folder, 'token') },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [bash.stdout, bash.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('event: stream.live')) process.kill(-(bash.pid as number));
    });
  }
  await once(bash, 'close');
  if (said.includes('event: stream.live')) return { status: 200, text: said };
  const [, text = '', status] = /^([\s\S]*)\n(\d{3})$/.exec(said) ?? [];
  assert.ok(status, said);
  return { status: Number(status), text };
}

/** The one run that the examples are about, once it has begun, and when it has ended. */
async function moveRun(key: string): Promise<void> {
  const { worker } = world;
  if (key === 'POST /api/v1/jobs/{job}/run') {
    [launch] = await worker.claim();
    assert.ok(launch);
    await worker.start(launch);
  }
  if (key !== 'POST /api/v1/runs/{run}/stop' || launch === undefined) return;
  const output = Buffer.from('report ready\n');
  await worker.store.writeOutputs([{ launchId: launch.launchId, output }]);
  await worker.finish(launch, { ...succeeded, output, outputBytes: output.length });
}

/** What an answer in several lines, or one that is no JSON, has to begin with. */
function requireText(text: string, wanted: string): void {
  const [line = ''] = wanted.split('\n');
  const isJson = line.startsWith('{');
  if (isJson) assert.equal(shapeFault(JSON.parse(text), JSON.parse(line)), null);
  else assert.ok(text.includes(line), text.slice(0, 500));
}

describe('what the document prints for curl does what it says, as it is printed', { skip }, () => {
  for (const { key, source, status } of shown) {
    test(key, async () => {
      const example = routeExamples[key];
      assert.ok(example);
      const found = await runShown(source);
      await moveRun(key);
      assert.equal(found.status, status, found.text);
      // What the run wrote is there once it has ended, and a follower has come too late for it.
      if (example.text !== undefined && !key.endsWith('/follow')) {
        requireText(found.text, example.text);
      } else if (example.answer !== undefined) {
        assert.equal(shapeFault(JSON.parse(found.text), example.answer), null, found.text);
      }
    });
  }
});

test('nothing of it was a fault of the server', () => {
  assert.deepEqual(world.troubles, []);
});
