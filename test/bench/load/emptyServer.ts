import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server that answers everything and does nothing: what an attack costs the machine. */
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ listening: `http://127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
