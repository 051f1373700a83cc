import type { ChildProcess } from 'node:child_process';
import type { Server, Socket } from 'node:net';

/** What keeps this process alive, one line each: sockets with their peers, children, servers. */
export function describeHandles(): string {
  // Node has no documented way to tell more than the kind of what is open.
  const { _getActiveHandles: activeHandles } = process as unknown as {
    _getActiveHandles?: () => object[];
  };
  const lines = activeHandles?.().map(describeHandle) ?? [];
  const kinds = process.getActiveResourcesInfo().join(', ');
  return [...lines, `open: ${kinds}`].join('\n');
}

function describeHandle(handle: object): string {
  const name = handle.constructor.name;
  if ('spawnfile' in handle) {
    const { pid, spawnargs } = handle as ChildProcess;
    return `child process ${pid}: ${spawnargs.join(' ').slice(0, 1_000)}`;
  }
  if ('listening' in handle) return `${name} at ${JSON.stringify((handle as Server).address())}`;
  if ('remoteAddress' in handle) {
    const { localAddress, localPort, remoteAddress, remotePort } = handle as Socket;
    return `${name} ${localAddress}:${localPort} → ${remoteAddress}:${remotePort}`;
  }
  return name;
}
