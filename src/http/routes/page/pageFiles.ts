import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../../shipped/shippedFiles.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** One file of the page, as it is and as it was compressed when it was built. */
export interface PageFile {
  readonly type: string;
  readonly plain: Bytes;
  readonly gzip: Bytes | null;
  readonly brotli: Bytes | null;
}

interface PageFiles {
  /** The document; null: the page was not built. */
  readonly index: PageFile | null;
  readonly assets: ReadonlyMap<string, PageFile>;
}

let files: PageFiles | null = null;

/**
 * The page that `npm run build` made of `src/page`. Read once, by a node before it serves: later
 * the files of another version may stand there.
 */
export function readPageFiles(): PageFiles {
  files ??= readFolder();
  return files;
}

function readFolder(): PageFiles {
  const folder = packageFile('dist/page/');
  if (!existsSync(new URL('index.html', folder))) return { index: null, assets: new Map() };
  const assets = new URL('assets/', folder);
  const names = readdirSync(assets).filter((name) => !/\.(br|gz)$/.test(name));
  return {
    index: readFile('index.html', folder),
    assets: new Map(names.map((name) => [name, readFile(name, assets)])),
  };
}

function readFile(name: string, folder: URL): PageFile {
  const read = (ending: string): Bytes | null => {
    const url = new URL(`${name}${ending}`, folder);
    return existsSync(url) ? new Uint8Array(readFileSync(url)) : null;
  };
  const type = types[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream';
  const plain = read('') ?? new Uint8Array();
  return { type, plain, gzip: read('.gz'), brotli: read('.br') };
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
