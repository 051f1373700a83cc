import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { jobFields } from '../../src/domain/job/fields.ts';
import type { Field } from '../../src/domain/job/fieldTable/field.ts';
import { shrinkFont } from './shrinkFont.ts';

/**
 * Run by `npm run build`: bundles the page of `src/page` into `dist/page`, with the hash of what is
 * in it in the name of each file, so that browsers may keep it for ever, and each compressed
 * beforehand. `npm run page` does only this.
 */
const root = path.resolve(import.meta.dirname, '../..');
const source = path.join(root, 'src/page');
const target = path.join(root, 'dist/page');
const assets = path.join(target, 'assets');

/** Browsers that have `light-dark()`, which the colours are made with. */
const browsers = ['chrome123', 'firefox120', 'safari17.5'];

const options = {
  ...{ absWorkingDir: root, outdir: assets, entryNames: '[name]-[hash]', bundle: true },
  ...{ assetNames: '[name]-[hash]', chunkNames: '[name]-[hash]' },
  ...{ minify: true, metafile: true, target: browsers, legalComments: 'none' },
  ...{ jsx: 'automatic', jsxImportSource: 'preact', loader: { '.woff2': 'file', '.svg': 'copy' } },
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Everything that is loaded by itself begins with what many share. */
const shareBetweenScreens: Plugin = {
  name: 'what screens share',
  setup: ({ onLoad }) => {
    const shared = JSON.stringify(path.join(source, 'screensShare.ts'));
    onLoad({ filter: /(main|Screen|goAnywhere|pickZone)\.tsx?$/ }, async ({ path: file }) => {
      const loader = file.endsWith('x') ? 'tsx' : 'ts';
      return { contents: `import ${shared};\n${await readFile(file, 'utf8')}`, loader };
    });
  },
};

const shrinkFonts: Plugin = {
  name: 'the font without what the page does not use',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.woff2$/ }, async ({ path: file }) => ({
      contents: await shrinkFont(await readFile(file)),
      loader: 'file',
    }));
  },
};

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
const worker = await build({
  ...options,
  entryPoints: { events: path.join(source, 'live/eventWorker.ts') },
  format: 'iife',
});
const [workerFile = ''] = Object.keys(worker.metafile.outputs);
const page = await build({
  ...options,
  entryPoints: { page: path.join(source, 'main.tsx'), icon: path.join(source, 'icon.svg') },
  ...{ format: 'esm', splitting: true, plugins: [shareBetweenScreens, shrinkFonts] },
  define: {
    workerAsset: JSON.stringify(`assets/${path.basename(workerFile)}`),
    jobFieldTable: JSON.stringify(jobFields.map(shownField)),
  },
});
await writeFile(path.join(target, 'index.html'), await indexOf(page.metafile));
await writeFile(path.join(target, 'LICENSES.txt'), await licencesOf(page.metafile));
const files = [...Object.keys(worker.metafile.outputs), ...Object.keys(page.metafile.outputs)];
await Promise.all([path.join(target, 'index.html'), ...files].map(compress));

/** What the form of a job needs to know of a field; the rules are the node's. */
function shownField(field: Field): object {
  const { flag, heading, help, isNeeded = false, key, kind, value } = field;
  const choices = 'choices' in field ? field.choices : null;
  return { ...{ flag, heading, help, isNeeded, key, kind, value }, choices };
}

/** The document, with the names of what it loads at first. */
async function indexOf({ outputs }: Metafile): Promise<string> {
  const named = (ending: string) =>
    Object.keys(outputs).find((name) => name.endsWith(ending)) ?? '';
  const [entry] = Object.entries(outputs).filter(([, { entryPoint }]) =>
    entryPoint?.endsWith('main.tsx'),
  );
  if (entry === undefined) throw new Error('esbuild wrote no entry');
  const [script, { cssBundle = '', imports }] = entry;
  const first = imports.filter(({ kind }) => kind === 'import-statement');
  const link = (file: string, attributes: string) =>
    `<link href="assets/${path.basename(file)}" ${attributes}>`;
  const links = [
    link(named('.svg'), 'rel="icon" type="image/svg+xml"'),
    link(named('.woff2'), 'rel="preload" as="font" type="font/woff2" crossorigin'),
    link(cssBundle, 'rel="stylesheet"'),
    ...first.map(({ path: file }) => link(file, 'rel="modulepreload"')),
    `<script type="module" src="assets/${path.basename(script)}"></script>`,
  ];
  const text = await readFile(path.join(source, 'index.html'), 'utf8');
  return text.replace('<!-- assets -->', links.join('\n    '));
}

/** The licences of the packages that are in the bundle. */
async function licencesOf({ inputs }: Metafile): Promise<string> {
  const folders = Object.keys(inputs).flatMap((file) => {
    const [folder] = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return folder === undefined ? [] : [folder];
  });
  const texts = [...new Set(folders)].sort().map(async (folder) => {
    const licence = await readFile(path.join(root, folder, 'LICENSE'), 'utf8');
    return `${folder.replace('node_modules/', '')}\n\n${licence.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}

async function compress(file: string): Promise<void> {
  const absolute = path.resolve(root, file);
  if (absolute.endsWith('.woff2')) return;
  const bytes = await readFile(absolute);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${absolute}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${absolute}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
