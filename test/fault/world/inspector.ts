import { randomBytes } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootNowMs } from './bootNow.ts';

/** Node's own debugger in a running process: the way to break it from inside without a switch. */
export interface Inspector {
  /** Evaluates on the main thread; does not wait for it. */
  evaluate(expression: string): void;
  /** Evaluates in the first worker thread; false when there is none. */
  evaluateInWorker(expression: string): Promise<boolean>;
  close(): void;
}

const openMsMax = 2_000;

/**
 * Opens it by SIGUSR1, after which the process says on stderr where it listens.
 * @param said what the process has said so far, growing
 * @param sinceMs when the process began: what was said before was another's
 * @returns null when it did not open in time, e.g. because the process has just ended.
 */
export async function openInspector(
  pid: number,
  said: readonly { atMs: number; text: string }[],
  sinceMs: number,
): Promise<Inspector | null> {
  const beganMs = bootNowMs();
  try {
    process.kill(pid, 'SIGUSR1');
  } catch {
    return null; // it has just ended
  }
  while (bootNowMs() - beganMs < openMsMax) {
    const line = said.findLast(({ text }) => text.includes('Debugger listening on ws://'));
    const url = /ws:\S+/.exec(line?.text ?? '')?.[0];
    if (line !== undefined && line.atMs >= sinceMs && url !== undefined)
      return attach(new URL(url));
    await sleep(20);
  }
  return null;
}

async function attach(url: URL): Promise<Inspector | null> {
  const socket = createConnection(Number(url.port), url.hostname);
  socket.on('error', () => undefined); // 'close' follows: the process has ended
  const heard = readFrames(socket);
  socket.write(
    `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\n` +
      `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  if (!(await soon(() => heard.isOpen))) return null;
  let lastId = 0;
  const send = (method: string, parameters: object = {}): void => {
    lastId += 1;
    writeFrame(socket, JSON.stringify({ id: lastId, method, params: parameters }));
  };
  return {
    evaluate: (expression) => send('Runtime.evaluate', { expression }),
    evaluateInWorker: async (expression) => {
      send('NodeWorker.enable', { waitForDebuggerOnStart: false });
      const found = await soon(() => /"sessionId":"(\w+)"/.exec(heard.text));
      if (!found) return false;
      const message = { id: 1, method: 'Runtime.evaluate', params: { expression } };
      send('NodeWorker.sendMessageToWorker', {
        sessionId: found[1],
        message: JSON.stringify(message),
      });
      return (await soon(() => heard.text.includes('detachedFromWorker'))) === true;
    },
    close: () => socket.destroy(),
  };
}

async function soon<T>(probe: () => T): Promise<T | null> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = probe();
    if (found) return found;
    await sleep(20);
  }
  return null;
}

/** All that came, frames and their headers alike: what is looked for is plain text in them. */
function readFrames(socket: Socket): { isOpen: boolean; text: string } {
  const heard = { isOpen: false, text: '' };
  socket.on('data', (chunk: Buffer) => {
    heard.text = (heard.text + chunk.toString('latin1')).slice(-65_536);
    heard.isOpen ||= heard.text.startsWith('HTTP/1.1 101');
  });
  return heard;
}

/** One text frame, masked as a client's must be. */
function writeFrame(socket: Socket, text: string): void {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const length = Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] as number));
  socket.write(Buffer.concat([Buffer.from([0x81]), length, mask, masked]));
}
