import { describeVersion } from '../../../src/database/system/serverVersion.ts';
import { makeAccounts } from './accounts.ts';
import { findClockLibrary } from './clockFile.ts';
import { createFaultDatabase } from './createFaultDatabase.ts';
import { makeEngineFolder } from './engineFolder.ts';
import type { EngineOptions, FaultEngine } from './faultEngine.ts';
import { findEngineServer } from './findEngineServer.ts';
import { initialiseMember, makeMember } from './makeMember.ts';

/** One server of MariaDB or MySQL on a port of its own. */
export async function startSingleServer(
  name: 'mariadb' | 'mysql',
  { report = () => undefined, faketime = name === 'mariadb' }: EngineOptions,
): Promise<FaultEngine> {
  const folder = await makeEngineFolder(name);
  try {
    const server = await findEngineServer(name, folder.path, report);
    const clockLibrary = faketime ? await findClockLibrary(report) : null;
    const kit = { folder, server, accounts: makeAccounts([name]), clockLibrary };
    const member = await makeMember(kit, name);
    await initialiseMember(member);
    await member.startFirst();
    return {
      name,
      version: describeVersion(server),
      members: [member],
      can: { stepClock: clockLibrary !== null, isolate: false },
      failoverMsMax: 0,
      createDatabase: () => createFaultDatabase([member]),
      writable: async () => ((await member.isWritable()) ? [member] : []),
      heal: async () => {
        await member.cont();
        await member.start();
        if (clockLibrary !== null) await member.stepClock(0);
        await member.query('SET GLOBAL read_only = OFF');
      },
      close: async () => {
        await member.kill();
        await folder.close();
      },
    };
  } catch (error) {
    await folder.close();
    throw error;
  }
}
