import { randomBytes } from 'node:crypto';

/**
 * A session id: 96 random bits in hex, so that ids from a restored database never come again (P9).
 */
export function makeSessionId(random: (bytes: number) => Uint8Array = randomBytes): string {
  return `s${Buffer.from(random(12)).toString('hex')}`;
}

/**
 * Makes the launch ids of one session: session id, colon, a counter of the process. Never twice.
 */
export function launchIdMaker(sessionId: string): () => string {
  let counter = 0;
  return () => {
    counter += 1;
    return `${sessionId}:${counter}`;
  };
}
