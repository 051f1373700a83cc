import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { RowDataPacket } from 'mysql2/promise';
import { readProcess, scanProcesses } from '../../../src/exec/process/processTree.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { connectOutside } from '../world/connectOutside.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import type { FaultProbe } from './faultProbe.ts';
import { type LineProbe, linesOfApi, linesOfNode, probeLine } from './lineProbes.ts';
import { watchArmed } from './watchArmed.ts';

/** What each kind does that can be seen without asking the fault itself. */
export async function probeFault(
  { kind }: FaultKind,
  world: FaultWorld,
  node: FaultNode,
): Promise<FaultProbe> {
  const [member] = world.engine.members as readonly [EngineMember];
  if (/ at an? (batch|heartbeat|join|operation)/.test(kind)) return watchArmed(kind, world);
  const line = /^(API )?(?:connections|network) (cut|refused|black hole|slow|throttled)$/.exec(
    kind,
  );
  if (line !== null) {
    const lines = line[1] === undefined ? linesOfNode(node) : linesOfApi(world);
    return await probeLine(line[2] as LineProbe, lines);
  }
  if (/^node clock/.test(kind)) return { isOn: async () => world.nodes.some(hasOwnTime) };
  if (/^(one stripe|all stripes|session lock) held|deadlocks/.test(kind)) {
    return { isOn: () => isLockHeld(member, kind === 'all stripes held' ? 2 : 1) };
  }
  if (/^(guardian|node|launcher|event|worker)/.test(kind)) return probeProcesses(kind, node);
  return await probeServer(kind, world, node);
}

type Processes = Readonly<Record<'guardian' | 'node' | 'launcher', number>>;

function processesOf({ guardianPid, nodePid }: FaultNode): Processes {
  const { childrenOf, markOf } = scanProcesses();
  const children = childrenOf.get(nodePid ?? 0) ?? [];
  const launcher = children.find(({ pid }) => markOf(pid)?.endsWith(':launcher'))?.pid;
  if (guardianPid === null || nodePid === null || launcher === undefined) {
    throw new Error('a process of the node is missing before anything was done to it');
  }
  return { guardian: guardianPid, node: nodePid, launcher };
}

function probeProcesses(kind: string, node: FaultNode): FaultProbe {
  const before = processesOf(node);
  const names = Object.keys(before) as (keyof Processes)[];
  const struck = names.filter((name) => kind.includes(name)).map((name) => before[name]);
  const isStopped = (pid: number) => readProcess(pid)?.state === 'T';
  if (/frozen/.test(kind)) return { isOn: async () => struck.every(isStopped) };
  if (kind === 'event loop hung') {
    const pid = before.node;
    // It computes, so that it is not asleep at any of several looks.
    return { isOn: async () => readProcess(pid) !== null && (await isBusy(pid)) };
  }
  const ending = struck.length > 0 ? struck : [before.node];
  return { isOnce: true, isOn: async () => ending.every((pid) => readProcess(pid) === null) };
}

const looksOfBusy = 20;

async function isBusy(pid: number): Promise<boolean> {
  for (let look = 0; look < looksOfBusy; look += 1) {
    if (readProcess(pid)?.state !== 'R') return false;
    await new Promise((resolve) => setTimeout(resolve, 10)); // between two looks
  }
  return true;
}

function hasOwnTime(node: FaultNode): boolean {
  return readFileSync(path.join(node.spoolFolder, '../clock'), 'utf8') !== '+0\n';
}

/** Rows that somebody who is no node has locked. */
async function isLockHeld(member: EngineMember, rowsLeast: number): Promise<boolean> {
  const user = new URL(member.adminUrl()).username;
  const rows = await member.query(`SELECT trx_rows_locked AS held
    FROM information_schema.innodb_trx JOIN information_schema.processlist
      ON id = trx_mysql_thread_id WHERE user = '${user}'`);
  return rows.some(({ held }) => Number(held) >= rowsLeast);
}

type WithProcess = EngineMember & { readonly processId: number | null };

async function probeServer(kind: string, world: FaultWorld, node: FaultNode): Promise<FaultProbe> {
  const members = world.engine.members as readonly WithProcess[];
  const [member] = members as readonly [WithProcess];
  const pids = members.map(({ processId }) => processId);
  if (/^(database|member).* (killed|started|restarted)/.test(kind)) {
    const isOther = ({ processId }: WithProcess, at: number) => processId !== pids[at];
    return { isOnce: true, isOn: async () => members.some(isOther) };
  }
  if (/frozen$/.test(kind)) {
    return { isOn: async () => pids.some((pid) => readProcess(pid ?? 0)?.state === 'T') };
  }
  if (kind === 'spool disk full') {
    return { isOn: async () => (await statfs(node.spoolFolder)).bavail === 0 };
  }
  if (kind === 'database clock stepped') {
    return { isOn: async () => Math.abs((await clockOf(member)) - Date.now()) > 500 };
  }
  if (kind === 'member isolated') {
    const states = () => Promise.all(members.map((each) => each.isWritable()));
    return { isOn: async () => (await states()).includes(false) };
  }
  return await probeVariable(kind, member);
}

async function clockOf(member: EngineMember): Promise<number> {
  const [row] = await member.query('SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000 AS now_ms');
  return Number(row?.now_ms);
}

/** By a connection from before: no new one may be let in. */
async function probeVariable(kind: string, member: EngineMember): Promise<FaultProbe> {
  const connection = await connectOutside(member.adminUrl());
  const read = async (sql: string): Promise<number> => {
    const [rows] = await connection.query<RowDataPacket[]>(sql);
    return Number(rows[0]?.Value);
  };
  const close = () => connection.destroy();
  if (kind === 'database read-only') {
    const sql = "SHOW GLOBAL VARIABLES WHERE Variable_name = 'read_only' AND Value = 'ON'";
    return {
      close,
      isOn: async () => (await connection.query<RowDataPacket[]>(sql))[0].length > 0,
    };
  }
  const isLimit = kind === 'database without free connections';
  const sql = isLimit
    ? "SHOW GLOBAL VARIABLES LIKE 'max_connections'"
    : "SHOW GLOBAL STATUS LIKE 'Com_kill'";
  if (!isLimit && kind !== 'connections killed by the server') {
    throw new Error(`nothing is known that shows "${kind}"`);
  }
  const before = await read(sql);
  return { close, isOnce: !isLimit, isOn: async () => (await read(sql)) !== before };
}
