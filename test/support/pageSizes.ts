import { get } from 'node:http';

/** What comes over the line of one file; fetch would decompress it. */
export function getRaw(
  origin: string,
  name: string,
  accept: string,
): Promise<{ coding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': accept };
    const request = get(`${origin}/${name}`, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        resolve({ coding: answer.headers['content-encoding'], bytes: Buffer.concat(pieces) });
      });
    });
    request.on('error', reject);
  });
}

/** The files that the page names in its HTML: what is loaded before its first screen. */
export function namedFiles(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
}

/** How many bytes these files are together, as gzip. */
export async function gzipSize(origin: string, names: readonly string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => getRaw(origin, name, 'gzip')));
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
