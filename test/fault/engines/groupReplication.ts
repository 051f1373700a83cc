import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { describeVersion } from '../../../src/database/system/serverVersion.ts';
import { until } from '../../support/until.ts';
import { freePort } from '../proxy/freePort.ts';
import { makeAccounts } from './accounts.ts';
import { findClockLibrary } from './clockFile.ts';
import { createFaultDatabase } from './createFaultDatabase.ts';
import { type EngineFolder, makeEngineFolder } from './engineFolder.ts';
import type { EngineOptions, FaultEngine } from './faultEngine.ts';
import { findEngineServer } from './findEngineServer.ts';
import { groupArgs } from './groupArgs.ts';
import { GroupCluster } from './groupCluster.ts';
import { initialiseMember, type MemberKit, makeMember } from './makeMember.ts';
import type { ServerMember } from './serverMember.ts';
import { writableOf } from './writableOf.ts';

const names = ['r1', 'r2', 'r3'];
/** Measured 6.9 s with no time to come back and 22 s with the 5 s of MySQL's default. */
const failoverMsMaxOf = (expelSeconds: number) => 15_000 + 4_000 * expelSeconds;

/** A MySQL replication group of three, with one primary or with all members taking writes. */
export async function startGroupReplication(options: EngineOptions): Promise<FaultEngine> {
  const folder = await makeEngineFolder('group');
  const cluster = new GroupCluster();
  const close = async () => {
    await Promise.all(cluster.members.map((member) => member.kill()));
    await folder.close();
  };
  try {
    const kit = await form(cluster, folder, options);
    const allWritable = () =>
      until('a member takes writes', async () => {
        const members = await writableOf(cluster.members);
        return members.length > 0 && members;
      });
    const mode = options.multiPrimary === true ? 'multi-primary' : 'single-primary';
    return {
      name: 'group-replication',
      version: `${describeVersion(kit.server)}, ${mode} group`,
      members: cluster.members,
      can: { stepClock: kit.clockLibrary !== null, isolate: false },
      failoverMsMax: failoverMsMaxOf(options.expelSeconds ?? 5),
      createDatabase: async () => createFaultDatabase(await allWritable()),
      writable: () => writableOf(cluster.members),
      heal: () => heal(cluster, kit),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function form(
  cluster: GroupCluster,
  folder: EngineFolder,
  {
    report = () => undefined,
    faketime = false,
    multiPrimary = false,
    expelSeconds = 5,
  }: EngineOptions,
): Promise<MemberKit> {
  const server = await findEngineServer('mysql', folder.path, report);
  const clockLibrary = faketime ? await findClockLibrary(report) : null;
  const kit = { folder, server, accounts: makeAccounts(names), clockLibrary };
  const id = randomUUID();
  const ports: number[] = [];
  for (const _ of names) ports.push(await freePort());
  for (const [index, name] of names.entries()) {
    const argsOf = (port: number) =>
      groupArgs({
        id,
        serverId: index + 1,
        port,
        ownPort: ports[index] ?? 0,
        ports,
        multiPrimary,
        expelSeconds,
      });
    cluster.members.push(await makeMember(kit, name, { argsOf, cluster }));
  }
  await makeAlike(cluster.members);
  report('the group forms …');
  const [first, ...joiners] = cluster.members as [ServerMember, ...ServerMember[]];
  await first.startAlone();
  await cluster.bootstrap([first]);
  await Promise.all(joiners.map((member) => member.start()));
  return kit;
}

/** All members begin with the same accounts and an empty history of transactions. */
async function makeAlike(members: readonly ServerMember[]): Promise<void> {
  const [first, ...others] = members as [ServerMember, ...ServerMember[]];
  await initialiseMember(first);
  await first.startFirst();
  await first.query('RESET BINARY LOGS AND GTIDS');
  await first.end();
  const data = path.join(first.plan.folder, 'data');
  // It names the server; with the same name twice the group takes the two for one.
  await rm(path.join(data, 'auto.cnf'));
  for (const other of others) {
    await cp(data, path.join(other.plan.folder, 'data'), { recursive: true });
  }
}

async function heal(cluster: GroupCluster, kit: MemberKit): Promise<void> {
  for (const member of cluster.members) {
    await member.cont();
    if (kit.clockLibrary !== null) await member.stepClock(0);
  }
  await Promise.all(cluster.members.map((member) => member.startAlone()));
  for (const member of cluster.members) await cluster.join(member);
}
