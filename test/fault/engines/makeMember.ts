import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { DataFolder } from '../../../src/database/data/dataFolder.ts';
import { initialiseData } from '../../../src/database/data/initialiseData.ts';
import type { ServerBinary } from '../../../src/database/system/findServers.ts';
import { freePort } from '../proxy/freePort.ts';
import type { Accounts } from './accounts.ts';
import { makeClockFile } from './clockFile.ts';
import type { EngineFolder } from './engineFolder.ts';
import { memberArgs } from './memberArgs.ts';
import { type ClusterPart, ServerMember } from './serverMember.ts';

/** What the members of one engine have in common. */
export interface MemberKit {
  readonly folder: EngineFolder;
  readonly server: ServerBinary;
  readonly accounts: Accounts;
  /** Null: clocks cannot be stepped. */
  readonly clockLibrary: string | null;
}

/** Makes a member with its folder, not its data. */
export async function makeMember(
  kit: MemberKit,
  name: string,
  special: {
    argsOf?: (port: number) => readonly string[];
    env?: NodeJS.ProcessEnv;
    cluster?: ClusterPart;
  } = {},
): Promise<ServerMember> {
  const folder = path.join(kit.folder.path, name);
  await mkdir(path.join(folder, 'tmp'), { recursive: true });
  const port = await freePort();
  return new ServerMember({
    name,
    port,
    folder,
    server: kit.server,
    args: [...memberArgs(kit.server, folder, port), ...(special.argsOf?.(port) ?? [])],
    env: { ...kit.folder.mark, ...special.env },
    accounts: kit.accounts,
    clock:
      kit.clockLibrary === null
        ? null
        : await makeClockFile(kit.clockLibrary, folder, kit.server.flavour),
    ...(special.cluster === undefined ? {} : { cluster: special.cluster }),
  });
}

/** Makes a member's data folder, with nothing in it but the system tables. */
export async function initialiseMember(member: ServerMember): Promise<void> {
  const { folder, server } = member.plan;
  const place = { data: path.join(folder, 'data'), temporary: path.join(folder, 'tmp') };
  const fault = await initialiseData(place as DataFolder, server);
  if (fault !== undefined) throw new Error(`${member.name} cannot be initialised: ${fault}`);
}
