import { readFileSync } from 'node:fs';
import { packageFile } from '../../shipped/shippedFiles.ts';

/** The version of the installed package. */
export function packageVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
