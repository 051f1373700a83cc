import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { programArgs } from '../../support/program.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { askCli } from '../askCli.ts';
import { cliEnvironment, runCli } from '../runCli.ts';

/** Why a shell cannot be tested here; false: it can. */
function missing(shell: string): string | false {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' });
    return false;
  } catch {
    return `not run: there is no ${shell} on this machine`;
  }
}

/** Runs a script in a shell where `statecron` is this program. */
async function inShell(shell: string, script: string, url?: string): Promise<string[]> {
  const words = [process.execPath, ...programArgs()].map((word) => `'${word}'`).join(' ');
  const body = shell === 'fish' ? `; ${words} $argv; end` : `() { ${words} "$@"; }`;
  const name = shell === 'fish' ? 'function statecron' : 'statecron';
  const flags = shell === 'zsh' ? ['-f'] : shell === 'bash' ? ['--norc'] : ['--no-config'];
  const args = [...flags, '-c', `${name}${body}\n${script}`];
  const env = cliEnvironment(url === undefined ? {} : { url });
  const { stdout, stderr } = await promisify(execFile)(shell, args, { env });
  assert.equal(stderr, '');
  return stdout.split('\n').filter((line) => line !== '');
}

/** What bash offers behind the line: words as bash splits them, the last is at the cursor. */
async function inBash(words: string[], url?: string): Promise<string[]> {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `eval "$(statecron print completion bash)"
    COMP_WORDS=(statecron ${quoted}); COMP_CWORD=${words.length}
    _statecron
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell('bash', script, url);
}

const evil = `say $(id); "a b" 'c' \`id\` \\ & *`;

async function addJobs(url: string): Promise<void> {
  for (const name of ['backup-db', 'backup-files', 'report', evil]) {
    const add = ['job', 'add', name, '--cron', '@daily', '--command', 'true', '--group', 'nightly'];
    const { code, stderr } = await askCli(add, { url });
    assert.equal(code, 0, stderr);
  }
}

/** Names are left out when the cluster does not say them soon: a person presses the key again. */
async function untilNamed(offer: () => Promise<string[]>): Promise<string[]> {
  let offered: string[] = [];
  await until('names are offered', async () => {
    offered = await offer();
    return offered.length > 0;
  });
  return offered;
}

test('bash completes commands, flags, choices and the names of jobs', async (t) => {
  assert.deepEqual(await inBash(['jo']), ['job']);
  const below = await inBash(['job', '']);
  assert.ok(below.includes('add') && below.includes('skip-next'), below.join());
  const flags = await inBash(['job', 'list', '--group', 'x', '--']);
  assert.ok(flags.includes('--tag') && flags.includes('--help'), flags.join());
  assert.ok(!flags.includes('--group'), 'it is given already');
  const again = await inBash(['job', 'add', 'x', '--secret-env', 'A', '--dst-fold', 'both', '--']);
  assert.ok(again.includes('--secret-env') && !again.includes('--dst-fold'), again.join());
  assert.deepEqual(await inBash(['print', 'completion', '']), ['bash', 'zsh', 'fish']);
  assert.deepEqual(await inBash(['job', 'add', 'x', '--overlap', 'sk']), ['skip']);
  assert.deepEqual(await inBash(['job', 'add', 'x', '--overlap', '=', 'sk']), ['skip']);
  const { url } = await makeStoreWorld(t, 'mariadb');
  await addJobs(url);
  const named: [string[], string[]][] = [
    [
      ['job', 'show', 'backup-'],
      ['backup-db', 'backup-files'],
    ],
    [['job', 'add', 'x', '--after', 're'], ['report']],
    [['job', 'list', '--group', '=', 'ni'], ['nightly']],
  ];
  for (const [words, names] of named) {
    assert.deepEqual(await untilNamed(() => inBash(words, url)), names, words.join(' '));
  }
  assert.deepEqual(await inBash(['job', 'add', 'ba'], url), [], 'that one is new');
  const [quoted = ''] = await untilNamed(() => inBash(['job', 'show', 'say'], url));
  const typed = await inShell('bash', `set -- ${quoted}; printf '%s\\n' "$#" "$1"`);
  assert.deepEqual(typed, ['1', evil], 'what is completed is one word that runs nothing');
});

test('zsh offers candidates with what they mean', { skip: missing('zsh') }, async () => {
  const script = `compdef() { :; }; _files() { print files; }
    _describe() { print -l "\${(@P)2}"; }
    eval "$(statecron print completion zsh)"
    words=(statecron job pau); CURRENT=3; _statecron
    words=(statecron up --data ''); CURRENT=4; _statecron`;
  const offered = await inShell('zsh', script);
  assert.deepEqual(offered, ['pause:Stop its schedule', 'files']);
});

test('fish offers candidates with what they mean', { skip: missing('fish') }, async () => {
  const script = `statecron print completion fish | source
    complete -C 'statecron job pau'`;
  assert.deepEqual(await inShell('fish', script), ['pause\tStop its schedule']);
});

test('a cluster that is away or silent costs no error, and no long wait', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => silent.close());
  for (const port of [1, (silent.address() as AddressInfo).port]) {
    const url = `mysql://root@127.0.0.1:${port}/statecron`;
    const words = ['complete', '--', 'job', 'show', ''];
    assert.deepEqual(
      { ...(await runCli(words, { url })), bytes: null },
      { code: 0, bytes: null, stdout: '', stderr: '' },
    );
  }
});
