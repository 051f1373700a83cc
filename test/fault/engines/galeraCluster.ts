import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { serverEnvironment } from '../../../src/database/data/initialiseData.ts';
import { runCommand } from '../../../src/database/system/runCommand.ts';
import { until } from '../../support/until.ts';
import type { ClusterPart, ServerMember } from './serverMember.ts';

const joinMsMax = 120_000;
const recoverMsMax = 60_000;
const quorumMsMax = 120_000;
const isolateOption = (on: boolean) =>
  `SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${on ? 1 : 0}'`;

/** The members of a Galera cluster as one whole: who may start it, who joins whom. */
export class GaleraCluster implements ClusterPart {
  readonly members: ServerMember[] = [];

  /**
   * A member that finds the cluster joins it, from where its own log ends. With none alive the one
   * that has the most starts the cluster again, as an operator would decide.
   */
  async prepare(member: ServerMember): Promise<readonly string[]> {
    const others = this.members.filter((each) => each !== member);
    const alive = others.filter(({ processId }) => processId !== null);
    if (alive.length > 0) {
      await this.#restoreQuorum(alive);
      const { position } = await recoverPosition(member);
      return position === null ? [] : [`--wsrep-start-position=${position}`];
    }
    const own = await recoverPosition(member);
    for (const other of others) {
      const theirs = await recoverPosition(other);
      if (theirs.sequence <= own.sequence) continue;
      await other.start();
      return await this.prepare(member);
    }
    await allowBootstrap(member);
    return ['--wsrep-new-cluster'];
  }

  async join(member: ServerMember): Promise<void> {
    await until(`${member.name} is synced`, () => isSynced(member), joinMsMax);
  }

  /** Its connections to the other members are dropped; those of clients stay. */
  async isolate(member: ServerMember): Promise<void> {
    await member.query(isolateOption(true));
  }

  /** Of members that have all lost the others none works again by itself, though all are there. */
  async rejoin(member: ServerMember): Promise<void> {
    await member.query(isolateOption(false));
    await this.#restoreQuorum(this.members.filter(({ processId }) => processId !== null));
    await this.join(member);
  }

  /**
   * Members that lost more of the cluster than they are themselves refuse to work until somebody
   * says that the others are dead for certain.
   */
  async #restoreQuorum(alive: readonly ServerMember[]): Promise<void> {
    await until('a part of the cluster works', () => this.#isWorking(alive), quorumMsMax);
  }

  async #isWorking(alive: readonly ServerMember[]): Promise<boolean> {
    const answers = await Promise.all(
      alive.map(async (member) => ({ member, status: await readStatus(member) })),
    );
    // One that still counts the dead has not noticed yet, and may stop working when it does.
    const isSettled = ({ status }: (typeof answers)[number]) =>
      Number(status.wsrep_cluster_size) <= alive.length;
    const settled = answers.filter(isSettled);
    if (settled.some(({ status }) => status.wsrep_cluster_status === 'Primary')) return true;
    const cut = settled.filter(({ status }) => status.wsrep_cluster_status === 'non-Primary');
    const [first] = cut.sort((a, b) => committedOf(b.status) - committedOf(a.status));
    await first?.member.query("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=true'");
    return false;
  }
}

type Status = Record<string, string | undefined>;

async function isSynced(member: ServerMember): Promise<boolean> {
  const status = await readStatus(member);
  return (
    status.wsrep_local_state_comment === 'Synced' &&
    status.wsrep_ready === 'ON' &&
    status.wsrep_cluster_status === 'Primary'
  );
}

/** Empty when the member does not answer. */
async function readStatus(member: ServerMember): Promise<Status> {
  const rows = await member.query("SHOW STATUS LIKE 'wsrep_%'").catch(() => []);
  return Object.fromEntries(rows.map((row) => [String(row.Variable_name), String(row.Value)]));
}

function committedOf(status: Status): number {
  return Number(status.wsrep_last_committed ?? -1);
}

/** How far a member that was killed has come, by its own log: `uuid:number`. */
async function recoverPosition(
  member: ServerMember,
): Promise<{ position: string | null; sequence: number }> {
  const { folder, server, args, env } = member.plan;
  const hasData =
    (await readFile(path.join(folder, 'data/grastate.dat')).catch(() => null)) !== null;
  if (!hasData) return { position: null, sequence: -1 };
  const found = await runCommand({
    command: [
      ...server.command,
      '--no-defaults',
      ...server.folderArgs,
      ...args,
      '--wsrep-recover',
      '--log-error-verbosity=3',
    ],
    env: { ...serverEnvironment(server), ...env },
    timeoutMs: recoverMsMax,
  });
  const match = /Recovered position: ([0-9a-f-]+:(-?\d+))/.exec(found.tail);
  if (match === null) throw new Error(`${member.name} cannot be recovered: ${found.tail}`);
  return { position: match[1] ?? null, sequence: Number(match[2]) };
}

/** After a kill a member does not know whether it was the last. */
async function allowBootstrap(member: ServerMember): Promise<void> {
  const file = path.join(member.plan.folder, 'data/grastate.dat');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return; // the first start of all
  await writeFile(file, text.replace('safe_to_bootstrap: 0', 'safe_to_bootstrap: 1'));
}
