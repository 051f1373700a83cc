import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LiveSession, type NodeProcess, patient } from '../nodeProcess.ts';
import { homeless } from './executionCases.ts';
import { poorCpuSeconds, type ReasonWorld, rootless, unshared } from './reasonWorld.ts';

type Start = (name: 'main' | 'poor' | 'gone' | 'bare') => Promise<NodeProcess>;

/**
 * The nodes of the cases. `main`: one as others are. `poor`: root without the rights of root, with
 * room for one launch, where `id` does not know the user bin. `gone`: nobody, and behind the proxy.
 * `bare`: there is no Perl. Each has one launcher; of what is in the PATH of `main` and `bare` bash
 * can be taken away.
 */
export function startNodes(world: ReasonWorld, proxyUrl: string): Start {
  const path = process.env.PATH ?? '/usr/bin:/bin';
  const programs = { main: ['bash'], bare: ['bash', 'mkfifo'] } as const;
  for (const name of ['main', 'bare'] as const) {
    mkdirSync(world.pathOf(name));
    for (const program of programs[name]) {
      const found = spawnSync('bash', ['-c', `type -P ${program}`], { encoding: 'utf8' });
      symlinkSync(found.stdout.trim(), join(world.pathOf(name), program));
    }
  }
  const id = join(world.folder, 'id');
  writeFileSync(id, '#!/bin/sh\n[ "$3" != bin ] && echo 65534\n');
  chmodSync(id, 0o755);
  const allowed = [homeless, 'no-such-user'].flatMap((user) => ['--allow-user', user]);
  const nodes: Readonly<Record<string, Partial<StartOptions>>> = {
    main: {
      args: [...allowed, '--output-files', join(world.folder, 'outputs')],
      env: { PATH: `${world.pathOf('main')}:${path}` },
    },
    poor: {
      args: '--capacity 1 --concurrency 1 --allow-user bin --allow-user daemon'.split(' '),
      started: (command) => {
        const limited = ['prlimit', `--cpu=${poorCpuSeconds}:${poorCpuSeconds}`, ...command];
        const script = `mount --bind ${id} /usr/bin/id && exec "$@"`;
        return unshared === false ? [...rootless, 'bash', '-c', script, '', ...limited] : limited;
      },
    },
    gone: {
      // The database is away for as long as a quarter of a gigabyte takes.
      args: ['--concurrency', '40', '--session-ttl', '2m'],
      url: proxyUrl,
      started: (command) => (unshared === false ? ['unshare', '--user', ...command] : command),
    },
    bare: { args: ['--allow-user', 'daemon'], env: { PATH: world.pathOf('bare') } },
  };
  const lives = new Map<string, LiveSession>();
  return async (name) => {
    const { args = [], env, started, url } = nodes[name] ?? {};
    const all = [...patient, '--horizon', '5s', '--threads', '1', ...args];
    const node = world.start(name, all, url, env, started);
    world.nodes.set(name, node);
    lives.set(name, await node.session(lives.get(name)));
    return node;
  };
}

interface StartOptions {
  readonly args: readonly string[];
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly started: (command: readonly string[]) => readonly string[];
}
