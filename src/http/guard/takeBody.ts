import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { refusal } from '../problems/refusals.ts';
import { bodyMsMax, patienceMs } from '../server/patience.ts';

/** The most that a request may bring, counted as it comes in. */
export const bodyBytesMax = 256 * 1024;
const firstBytes = 1024;

/**
 * The body of a request, from the connection itself: the streams that the framework would make of
 * it cost half a millisecond a request, and bodies come by the hundred when somebody sends them
 * slowly. Bytes are put together as they come, since each may come by itself.
 * @throws OperatorError `body_too_large`, `body_too_slow`; `malformed` when it is cut short.
 */
export async function takeBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    const take = (chunk: Buffer): void => {
      const end = size + chunk.length;
      if (end > bytesMax) {
        leave(tooLarge(bytesMax));
        return;
      }
      if (end > body.length) body = grown(body, end, bytesMax);
      chunk.copy(body, size);
      size = end;
    };
    const leave = (fault: Error): void => {
      clearTimeout(slow);
      incoming.off('data', take).pause();
      reject(fault);
    };
    const slow = setTimeout(() => leave(tooSlow()), patienceMs(bodyMsMax));
    incoming.on('data', take);
    finished(incoming, { writable: false }, (error) => {
      clearTimeout(slow);
      if (error) reject(refusal('malformed', 'The body ended before its end.'));
      else resolve(body.subarray(0, size));
    });
  });
}

/** @throws OperatorError `body_too_large` when a request says itself that it is. */
export function requireSize({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function grown(body: Buffer, wanted: number, bytesMax: number): Buffer {
  const size = Math.max(wanted, 2 * body.length, firstBytes);
  return Buffer.concat([body], Math.min(bytesMax, size));
}

function tooLarge(bytesMax: number) {
  return refusal('body_too_large', `A body has at most ${bytesMax} bytes here.`);
}

function tooSlow() {
  return refusal('body_too_slow', `A request is all there within ${bodyMsMax / 1_000} s.`);
}
