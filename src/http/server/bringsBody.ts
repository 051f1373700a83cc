import type { IncomingMessage } from 'node:http';

/** Whether a request says that a body follows. */
export function bringsBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || Boolean(headers['transfer-encoding']);
}
