import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Run by `npm pack` (prepack) in the package's folder: what package-lock.json says of what the
 * package needs, as npm-shrinkwrap.json, which is the one lock file that goes along. So whoever
 * installs the package gets the versions that the tests ran on, and their hashes.
 */
interface Lock {
  packages: Record<string, { dev?: boolean; devDependencies?: object }>;
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
const { '': own, ...others } = lock.packages;
const { devDependencies: _, ...root } = own ?? {};
// npm would install what is only for developing, too, when a shrinkwrap names it.
const needed = Object.entries(others).filter(([, { dev }]) => dev !== true);
lock.packages = { '': root, ...Object.fromEntries(needed) };
writeFileSync('npm-shrinkwrap.json', `${JSON.stringify(lock, null, 2)}\n`);
