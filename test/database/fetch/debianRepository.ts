import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../../src/database/system/runCommand.ts';

/** A package of a repository for tests. */
export interface TestPackage {
  name: string;
  /** Its control fields; without them it is a package of version 1:1.2-3 for all machines. */
  control?: string;
  depends?: string;
  files: Record<string, string>;
}

/**
 * Makes a real Debian repository in a folder, which apt reads without a network: by the scheme
 * `copy` as it would over one, by `file` where it lies.
 * @returns its line of a sources.list.
 */
export async function makeDebianRepository(
  folder: string,
  packages: readonly TestPackage[],
  scheme: 'copy' | 'file',
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const stanzas: string[] = [];
  for (const one of packages) {
    const tree = path.join(folder, `tree-${one.name}`);
    const control =
      one.control ??
      `Package: ${one.name}\nVersion: 1:1.2-3\nArchitecture: all\n` +
        `Maintainer: Nobody <nobody@example.org>\nDescription: for a test\n` +
        (one.depends === undefined ? '' : `Depends: ${one.depends}\n`);
    await put(path.join(tree, 'DEBIAN/control'), control);
    // What would change the system, were the package installed and not only unpacked.
    await put(path.join(tree, 'DEBIAN/postinst'), `#!/bin/sh\ntouch ${folder}/installed\n`, 0o755);
    for (const [name, text] of Object.entries(one.files)) await put(path.join(tree, name), text);
    const deb = path.join(folder, `${one.name}.deb`);
    const built = await runCommand({
      command: ['dpkg-deb', '--build', '--root-owner-group', tree, deb],
      env: { PATH: process.env.PATH },
      timeoutMs: 30_000,
    });
    if (built.exitCode !== 0) throw new Error(built.tail);
    const sha256 = createHash('sha256')
      .update(await readFile(deb))
      .digest('hex');
    const { size } = await stat(deb);
    stanzas.push(`${control}Filename: ./${one.name}.deb\nSize: ${size}\nSHA256: ${sha256}\n`);
  }
  await writeFile(path.join(folder, 'Packages'), stanzas.join('\n'));
  return `deb [trusted=yes] ${scheme}:${folder} ./`;
}

async function put(file: string, text: string, mode = 0o644): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, text, { mode });
}
