import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** What the built program is made from. */
const folders = ['src', 'statecharts', 'test/package'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json'];
/** The file that a build writes last. */
const lastBuilt = 'dist/statecron.1';

/** Whether the built program is of these sources: none was changed, added or removed since. */
export function isBuilt(root: string): boolean {
  const changedMs = (name: string) => statSync(path.join(root, name)).mtimeMs;
  if (!existsSync(path.join(root, lastBuilt))) return false;
  const builtMs = changedMs(lastBuilt);
  const within = (folder: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const isOlder = (name: string) => changedMs(name) < builtMs;
  return (
    folders.every(
      (folder) =>
        isOlder(folder) && within(folder).every((name) => isOlder(path.join(folder, name))),
    ) && files.every(isOlder)
  );
}
