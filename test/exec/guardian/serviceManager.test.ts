import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  connectServiceManager,
  withoutServiceManager,
} from '../../../src/exec/guardian/serviceManager.ts';
import { type GuardedState, reportToService } from '../../../src/exec/guardian/serviceReports.ts';
import { sweepSession } from '../../../src/exec/session/sessionSweep.ts';
import { fixtureArgs } from '../../support/fixtureArgs.ts';
import { until } from '../../support/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'statecron-service-'));
after(() => rmSync(folder, { recursive: true }));
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/**
 * What stands in systemd's place: prints each message as a line, and before it who sent it, as the
 * kernel says (recvmsg(2) and SCM_CREDENTIALS, which core Perl has no function for); 0: unknown.
 */
const listener = `
  my ($path, $arch) = @ARGV; $path =~ s/^@/\\0/;
  my $RECVMSG = { x64 => 47, arm64 => 212 }->{$arch};
  socket(my $socket, 1, 2, 0) or die "socket: $!";
  setsockopt($socket, 1, 16, pack 'i', 1) or die "setsockopt: $!";
  bind($socket, pack('Sa*', 1, $path)) or die "bind: $!";
  $| = 1; print "listening\\n";
  while (1) {
    my ($text, $control) = ("\\0" x 4096, "\\0" x 64);
    if ($RECVMSG) {
      my $part = pack 'P Q', $text, 4096;
      my $message = pack 'Q L x4 P Q P Q i x4', 0, 0, $part, 1, $control, 64, 0;
      my $got = syscall $RECVMSG, fileno $socket, $message, 0;
      $text = substr $text, 0, $got;
    } else { recv $socket, $text, 4096, 0 }
    $text =~ s/\\n/ /g;
    print unpack('x16 i', $control), " $text\\n";
  }`;

async function listen(path: string): Promise<{ messages: string[]; senders: number[] }> {
  const child = spawn('perl', ['-e', listener, path, process.arch], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let text = '';
  const [messages, senders]: [string[], number[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    const lines = text
      .split('\n')
      .slice(1, -1)
      .map((line) => /^(\d+) (.*)$/s.exec(line) ?? []);
    messages.splice(0, messages.length, ...lines.map(([, , message = '']) => message));
    senders.splice(0, senders.length, ...lines.map(([, sender]) => Number(sender)));
  });
  await until('it listens', () => text.startsWith('listening\n'), 60_000);
  return { messages, senders };
}

const silent = () => undefined;

for (const path of [join(folder, 'notify'), `@statecron-${randomUUID()}`]) {
  const kind = path.startsWith('@') ? 'an abstract socket' : 'a socket in the file system';
  test(`${kind} gets each message once and in order`, async () => {
    const { messages } = await listen(path);
    const env = { PATH: process.env.PATH, NOTIFY_SOCKET: path };
    const manager = connectServiceManager(env, silent);
    assert.ok(manager !== null);
    const sent = ['READY=1', 'WATCHDOG=1', 'STATUS=all is "well" \\ 100 %', 'STOPPING=1'];
    for (const each of sent) await until('it is sent', () => manager.notify(each), 60_000);
    await until('all are there', () => messages.length === 4, 60_000);
    assert.deepEqual(messages, sent);
    manager.close();
  });
}

test('without a service manager nothing is said, and a node never hears of one', () => {
  assert.equal(connectServiceManager({}, silent), null);
  assert.equal(connectServiceManager({ NOTIFY_SOCKET: 'relative' }, silent), null);
  const env = { PATH: '/bin', NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '1', WATCHDOG_PID: '2' };
  assert.deepEqual(withoutServiceManager(env), { PATH: '/bin' });
});

test('the watchdog is fed while the lease is good, and at no other time', async () => {
  const said: string[] = [];
  let isBusy = false;
  const service = {
    watchdogMs: 90,
    notify: (assignment: string) => !isBusy && said.push(assignment) > 0,
    close: () => void said.push('close'),
  };
  let state: GuardedState = { isAlive: true, isServing: false };
  let looks = 0;
  const reports = reportToService(service, () => {
    looks += 1;
    return state;
  });
  const looked = (more: number) => {
    const from = looks;
    return until('it has looked', () => looks >= from + more, 60_000);
  };
  await looked(5);
  assert.deepEqual(said, ['STATUS=the node has no lease: it starts, or the database is away']);
  state = { isAlive: true, isServing: true };
  await looked(8);
  assert.equal(said.filter((word) => word === 'READY=1').length, 1);
  assert.ok(said.filter((word) => word === 'WATCHDOG=1').length >= 2, `${said}`);
  state = { isAlive: true, isServing: false };
  await looked(1);
  const fed = said.filter((word) => word === 'WATCHDOG=1').length;
  await looked(8);
  assert.equal(said.filter((word) => word === 'WATCHDOG=1').length, fed);
  isBusy = true;
  reports.stopping();
  assert.equal(said.includes('STOPPING=1'), false);
  isBusy = false;
  await until('it is sent again', () => said.includes('STOPPING=1'), 60_000);
  reports.stopping();
  assert.deepEqual(said.slice(-2), ['STOPPING=1', 'STATUS=ending']);
  reports.close();
  assert.equal(said.at(-1), 'close');
});

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** Starts a guardian with a node that serves, as a service manager does. */
function startGuarded(path: string, sessionId: string, before: readonly string[]): ChildProcess {
  const node = [process.execPath, ...fixtureArgs(fixture('node.ts')), sessionId];
  const args = [...fixtureArgs(fixture('guardian.ts')), 'exit', ...node, join(folder, sessionId)];
  const [program = '', ...rest] = [...before, process.execPath, ...args, '0', 'serve'];
  const env = { ...process.env, NOTIFY_SOCKET: path, WATCHDOG_USEC: '300000' };
  const guardian = spawn(program, rest, { env, stdio: 'ignore' });
  children.push(guardian);
  return guardian;
}

const socketProgram = fileURLToPath(
  new URL('../../../src/exec/perl/serviceSocket.pl', import.meta.url),
);
const knowsSenders = ['x64', 'arm64'].includes(process.arch);

for (const before of [[], ['perl', socketProgram]]) {
  const how = before.length === 0 ? 'by a child' : 'in its own name';
  test(`a guardian is ready when its node has a lease, and says when it ends, ${how}`, async () => {
    const sessionId = randomUUID();
    const path = join(folder, `of-${sessionId}`);
    const { messages, senders } = await listen(path);
    const guardian = startGuarded(path, sessionId, before);
    const fed = () => messages.filter((message) => message === 'WATCHDOG=1').length;
    await until('it is ready and fed', () => fed() >= 2, 120_000);
    const isInOrder = messages.indexOf('READY=1') < messages.indexOf('WATCHDOG=1');
    assert.equal(isInOrder, true, `${messages}`);
    if (before.length > 0) {
      if (knowsSenders) assert.deepEqual([...new Set(senders)], [guardian.pid]);
      const socket = readlinkSync(`/proc/${guardian.pid}/fd/3`);
      assert.match(socket, /^socket:/);
      const [, nodePid] =
        /^node (\d+)/.exec(readFileSync(join(folder, `${sessionId}.log`), 'utf8')) ?? [];
      const fds = readdirSync(`/proc/${nodePid}/fd`).map((fd) =>
        linkOf(`/proc/${nodePid}/fd/${fd}`),
      );
      assert.equal(fds.includes(socket), false, 'neither a node nor a job has it');
    }
    guardian.kill('SIGTERM');
    await once(guardian, 'exit');
    await until('it said so', () => messages.includes('STOPPING=1'), 60_000);
    await sweepSession({ sessionId, groups: new Map(), patienceMs: 2_000 });
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // it was closed just now
  }
}
