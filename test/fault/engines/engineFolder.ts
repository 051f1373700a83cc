import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { endWithUs, folderMark } from '../../support/endWithUs.ts';

/** Where everything of one engine is; what runs there ends with this process, however it ends. */
export interface EngineFolder {
  readonly path: string;
  /** What the environment of every process of the engine must have. */
  readonly mark: Readonly<Record<string, string>>;
  /** The servers have ended: removes it. */
  close(): Promise<void>;
}

export async function makeEngineFolder(name: string): Promise<EngineFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `statecron-fault-${name}-`));
  const watcher = endWithUs(folder);
  return {
    path: folder,
    mark: { [folderMark]: folder },
    close: async () => {
      await watcher.dismiss();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
