import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describeVersion } from '../../../src/database/system/serverVersion.ts';
import { until } from '../../support/until.ts';
import { makeAccounts } from './accounts.ts';
import { findClockLibrary } from './clockFile.ts';
import { createFaultDatabase } from './createFaultDatabase.ts';
import { type EngineFolder, makeEngineFolder } from './engineFolder.ts';
import type { EngineOptions, FaultEngine } from './faultEngine.ts';
import { fetchGalera } from './fetchGalera.ts';
import { type GaleraPorts, galeraArgs, galeraPorts } from './galeraArgs.ts';
import { GaleraCluster } from './galeraCluster.ts';
import { initialiseMember, type MemberKit, makeMember } from './makeMember.ts';
import { writableOf } from './writableOf.ts';

const names = ['g1', 'g2', 'g3'];
/** A member that is gone is given up after 5 s; meanwhile commits wait on the others. */
const failoverMsMax = 10_000;

/** A Galera cluster of three MariaDBs, every one of which takes writes. */
export async function startGalera(options: EngineOptions): Promise<FaultEngine> {
  const folder = await makeEngineFolder('galera');
  const cluster = new GaleraCluster();
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
    return {
      name: 'galera',
      version: `${describeVersion(kit.server)} with Galera`,
      members: cluster.members,
      can: { stepClock: kit.clockLibrary !== null, isolate: true },
      failoverMsMax,
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
  cluster: GaleraCluster,
  folder: EngineFolder,
  { report = () => undefined, faketime = true }: EngineOptions,
): Promise<MemberKit> {
  const { server, provider, env } = await fetchGalera(folder.path, report);
  const clockLibrary = faketime ? await findClockLibrary(report) : null;
  const kit = { folder, server, accounts: makeAccounts(names), clockLibrary };
  const ports: GaleraPorts[] = [];
  for (const _ of names) ports.push(await galeraPorts());
  for (const [index, name] of names.entries()) {
    const argsOf = () => galeraArgs(name, provider, ports[index] as GaleraPorts, ports);
    cluster.members.push(await makeMember(kit, name, { argsOf, env, cluster }));
  }
  const [first, ...joiners] = cluster.members;
  if (first === undefined) throw new Error('a cluster has members');
  await initialiseMember(first);
  await first.startFirst(['--wsrep-new-cluster']);
  await cluster.join(first);
  for (const member of joiners) {
    // Empty: all that it will hold comes from a member that is there.
    await mkdir(path.join(member.plan.folder, 'data'));
    report(`${member.name} joins …`);
    await member.start();
  }
  return kit;
}

async function heal(cluster: GaleraCluster, kit: MemberKit): Promise<void> {
  for (const member of cluster.members) {
    await member.cont();
    if (kit.clockLibrary !== null) await member.stepClock(0);
  }
  for (const member of cluster.members) {
    if (member.processId === null) await member.start();
    else await member.rejoin();
  }
  for (const member of cluster.members) await member.query('SET GLOBAL read_only = OFF');
}
