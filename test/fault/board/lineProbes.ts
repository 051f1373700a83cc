import { once } from 'node:events';
import { connect } from 'node:net';
import { connectOutside } from '../world/connectOutside.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultWorld } from '../world/faultWorld.ts';
import type { FaultProbe } from './faultProbe.ts';

/** Something that goes over a line by a connection that was open before. */
interface Line {
  /** A connection that others may have, too; rejects where none is taken. */
  open(): Promise<OpenLine>;
}

interface OpenLine {
  /** Asks for so many bytes; resolves when they are there. */
  ask(bytes: number): Promise<unknown>;
  close(): void;
}

export type LineProbe = 'cut' | 'refused' | 'black hole' | 'slow' | 'throttled';

/** Nobody waits so long on loopback for an answer that comes. */
const silentMs = 1_000;
const slowMs = 9;
/** At 32 KB a second, the most that is let through, it takes a third of a second. */
const bytesOfThrottle = 12_000;
const throttledMs = 250;

/** Whether one of the lines has it. */
export async function probeLine(what: LineProbe, lines: readonly Line[]): Promise<FaultProbe> {
  if (what === 'refused') {
    const isRefused = async (line: Line) => !(await isTaken(line));
    return { isOn: async () => (await Promise.all(lines.map(isRefused))).includes(true) };
  }
  const open = await Promise.all(lines.map((line) => line.open()));
  const close = () => open.forEach((each) => void each.close());
  const ask: (each: OpenLine) => Promise<boolean> = {
    cut: async (each: OpenLine) => (await timeOf(each, 1)) === null,
    'black hole': async (each: OpenLine) => (await timeOf(each, 1)) === Infinity,
    slow: async (each: OpenLine) => (await quickestOf(each)) > slowMs,
    throttled: async (each: OpenLine) => ((await timeOf(each, bytesOfThrottle)) ?? 0) > throttledMs,
  }[what];
  for (const each of open) await each.ask(1);
  const isOn = async () => (await Promise.all(open.map(ask))).includes(true);
  return { isOn, isOnce: what === 'cut', close };
}

async function isTaken(line: Line): Promise<boolean> {
  return await line.open().then(
    (open) => {
      open.close();
      return true;
    },
    () => false,
  );
}

/** Null: the connection has ended; Infinity: nothing came. */
async function timeOf(line: OpenLine, bytes: number): Promise<number | null> {
  const beganMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(() => resolve(Infinity), silentMs);
  });
  const answered = line.ask(bytes).then(
    () => performance.now() - beganMs,
    () => null, // it has ended
  );
  const ms = await Promise.race([answered, late]);
  clearTimeout(timer);
  return ms;
}

async function quickestOf(line: OpenLine): Promise<number> {
  const times: number[] = [];
  for (let look = 0; look < 12; look += 1) times.push((await timeOf(line, 1)) ?? 0);
  return Math.min(...times);
}

/** The way of a node to its database. */
export function linesOfNode({ line }: FaultNode): Line[] {
  const url = line.proxies[0]?.url ?? '';
  return [
    {
      open: async () => {
        const connection = await connectOutside(url);
        return {
          ask: (bytes) => connection.query('SELECT REPEAT("x", ?) AS text', [bytes]),
          close: () => connection.destroy(),
        };
      },
    },
  ];
}

/** The ways to the nodes' APIs. */
export function linesOfApi({ nodes }: FaultWorld): Line[] {
  const urls = nodes.flatMap(({ api }) => api?.url ?? []);
  return urls.map((url) => ({ open: () => openHttp(new URL(url)) }));
}

/** One connection that stays open; the answer of a request without a token is short. */
async function openHttp({ hostname, port, host }: URL): Promise<OpenLine> {
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined); // its end says it
  socket.setMaxListeners(0); // each question waits for the end, too
  await Promise.race([once(socket, 'connect'), once(socket, 'close').then(refuse)]);
  return {
    ask: async (bytes) => {
      // A long head takes as long as a long answer.
      const head = `GET /livez HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'x'.repeat(bytes)}`;
      if (socket.closed || !socket.writable) refuse();
      socket.write(`${head}\r\n\r\n`);
      await Promise.race([once(socket, 'data'), once(socket, 'close').then(refuse)]);
    },
    close: () => socket.destroy(),
  };
}

function refuse(): never {
  throw new Error('the connection has ended');
}
