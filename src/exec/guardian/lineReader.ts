import type { Socket } from 'node:net';

/** A line of this protocol is short; something that sends none is not the other side. */
const lineCharactersMax = 65_536;

/** Calls back with each whole line that a socket brings; a torn last line is dropped. */
export function readLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > lineCharactersMax) {
      socket.destroy(new Error('A line of the guardian protocol has no end.'));
    }
  });
}
