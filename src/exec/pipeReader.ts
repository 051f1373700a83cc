import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

/**
 * One buffer for all pipes of a thread: whoever gets bytes copies what it keeps, and a gigabyte
 * that passes leaves no garbage behind. (With a buffer for each read, V8 lets 64 MB of them pile
 * up.)
 */
const sharedBuffer = new Uint8Array(65_536);

export interface PipeReader {
  close(): void;
}

/**
 * Reads a pipe to its end. It takes the descriptor over and closes it.
 * @param onBytes the bytes are only good during the call
 * @param onClosed once, at the end of the pipe or after `close`
 */
export function readPipe(
  fd: number,
  onBytes: (bytes: Buffer) => void,
  onClosed: () => void,
): PipeReader {
  const onread: OnReadOpts = {
    buffer: sharedBuffer,
    callback(bytesRead, buffer) {
      onBytes(Buffer.from(buffer.buffer, buffer.byteOffset, bytesRead));
      return true;
    },
  };
  // The types know `onread` for connections only; the constructor takes it for any descriptor.
  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    onread,
  };
  const socket = new Socket(options);
  // Whatever happens to a pipe that is read, 'close' follows.
  socket.on('error', () => {});
  socket.once('end', () => socket.destroy());
  socket.once('close', onClosed);
  return { close: () => socket.destroy() };
}
