import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'mysql2/promise';
import { serverEnvironment } from '../../../src/database/data/initialiseData.ts';
import type { ServerBinary } from '../../../src/database/system/findServers.ts';
import { until } from '../../support/until.ts';
import { type Accounts, administrator, ordinaryUser, probeTable } from './accounts.ts';
import type { ClockFile } from './clockFile.ts';
import type { EngineMember, MemberState } from './faultEngine.ts';
import { runStatements } from './runStatements.ts';
import { ServerLife } from './serverLife.ts';

/** What a member is, over all its lives. */
export interface MemberPlan {
  readonly name: string;
  readonly port: number;
  /** Holds `data` and `tmp`. */
  readonly folder: string;
  readonly server: ServerBinary;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly accounts: Accounts;
  readonly clock: ClockFile | null;
  readonly cluster?: ClusterPart;
}

/** How a member takes its part in a cluster. */
export interface ClusterPart {
  /** Before a start: what this one needs beside the usual arguments. */
  prepare(member: ServerMember): Promise<readonly string[]>;
  /** After it: resolves when the member is part of the cluster. */
  join(member: ServerMember): Promise<void>;
  isolate(member: ServerMember): Promise<void>;
  rejoin(member: ServerMember): Promise<void>;
}

const readyMsMax = 120_000;
const endGraceMs = 30_000;
const lookMs = 50;
const probeMsMax = 1_000;
const statementMsMax = 120_000;

/** One server of an engine, as a process that can be killed, stopped and started again. */
export class ServerMember implements EngineMember {
  readonly name: string;
  readonly port: number;
  readonly #plan: MemberPlan;
  #life: ServerLife | null = null;
  #isStopped = false;

  constructor(plan: MemberPlan) {
    this.name = plan.name;
    this.port = plan.port;
    this.#plan = plan;
  }

  get plan(): MemberPlan {
    return this.#plan;
  }

  get processId(): number | null {
    return this.#life?.hasEnded === false ? this.#life.processId : null;
  }

  async state(): Promise<MemberState> {
    if (this.#life === null || this.#life.hasEnded) return 'dead';
    return this.#isStopped ? 'stopped' : 'running';
  }

  adminUrl(database = ''): string {
    return this.#url(administrator, database);
  }

  userUrl(database = ''): string {
    return this.#url(ordinaryUser, database);
  }

  async query(...statements: string[]): Promise<Record<string, unknown>[]> {
    return await runStatements({ uri: this.adminUrl() }, statements, statementMsMax);
  }

  async kill(): Promise<void> {
    await this.#life?.kill();
  }

  async start(): Promise<void> {
    if (this.processId !== null) return;
    const extra = (await this.#plan.cluster?.prepare(this)) ?? [];
    await this.startAlone(extra);
    await this.#plan.cluster?.join(this);
  }

  /** Without taking its part in the cluster. */
  async startAlone(extra: readonly string[] = []): Promise<void> {
    if (this.processId === null) await this.#begin(extra);
    await this.#waitUntilReady({ uri: this.adminUrl() });
  }

  /** The first start of all: alone, to make the accounts. */
  async startFirst(extra: readonly string[] = []): Promise<void> {
    await this.#begin(extra);
    const root: ConnectionOptions = { socketPath: this.#socket, user: 'root' };
    await this.#waitUntilReady(root);
    await runStatements(root, this.#plan.accounts.statements, statementMsMax);
  }

  async restart(): Promise<void> {
    await this.end();
    await this.start();
  }

  /** SIGTERM, and waits. */
  async end(): Promise<void> {
    await this.#life?.end(endGraceMs);
  }

  /** Resolves when it does nothing any more: its threads stop one after the other. */
  async stop(): Promise<void> {
    const { processId } = this;
    this.#life?.signal('SIGSTOP');
    this.#isStopped = true;
    if (processId !== null) await until('every thread stands', () => hasStopped(processId));
  }

  async cont(): Promise<void> {
    this.#isStopped = false;
    this.#life?.signal('SIGCONT');
  }

  async isolate(): Promise<void> {
    await this.#cluster.isolate(this);
  }

  async rejoin(): Promise<void> {
    await this.#cluster.rejoin(this);
  }

  async stepClock(offsetMs: number): Promise<void> {
    if (this.#plan.clock === null) throw new Error('without libfaketime no clock can be stepped');
    await this.#plan.clock.step(offsetMs);
  }

  async isWritable(): Promise<boolean> {
    if ((await this.state()) !== 'running') return false;
    const write = `UPDATE ${probeTable} SET beats = beats + 1 WHERE member_name = '${this.name}'`;
    const place = { uri: this.userUrl(), connectTimeout: probeMsMax };
    return await runStatements(place, [write], probeMsMax).then(
      () => true,
      () => false, // that is the answer
    );
  }

  get #cluster(): ClusterPart {
    const { cluster } = this.#plan;
    if (cluster === undefined) throw new Error(`${this.name} is no member of a cluster`);
    return cluster;
  }

  get #socket(): string {
    return path.join(this.#plan.folder, 'sock');
  }

  async #begin(extra: readonly string[]): Promise<void> {
    const { folder, server, args, env, clock } = this.#plan;
    // Left by a kill; with a stale pid file of another user a server crashes as it starts.
    for (const name of ['sock', 'sock.lock', 'pid'])
      await rm(path.join(folder, name), { force: true });
    this.#isStopped = false;
    this.#life = await ServerLife.begin({
      command: [...server.command, '--no-defaults', ...server.folderArgs, ...args, ...extra],
      env: { ...serverEnvironment(server), ...env, ...clock?.env },
      folder,
      log: path.join(folder, 'log'),
    });
  }

  async #waitUntilReady(place: ConnectionOptions): Promise<void> {
    const began = performance.now();
    for (;;) {
      const failure = await runStatements(place, ['SELECT 1'], probeMsMax * 5).then(
        () => null,
        (error: Error) => error,
      );
      if (failure === null) return;
      const isLate = performance.now() - began > readyMsMax;
      if (this.processId === null || isLate) {
        const words = await this.#life?.lastWords();
        throw new Error(`${this.name} does not start: ${failure.message}\n${words}`);
      }
      await sleep(lookMs);
    }
  }

  #url(user: string, database: string): string {
    return `mysql://${user}:${this.#plan.accounts.password}@127.0.0.1:${this.port}/${database}`;
  }
}

/** Every thread of the process is stopped (proc_pid_stat(5): T), or the process is gone. */
function hasStopped(processId: number): boolean {
  try {
    const folder = `/proc/${processId}/task`;
    return readdirSync(folder).every((thread) => {
      const stat = readFileSync(`${folder}/${thread}/stat`, 'utf8');
      return stat.charAt(stat.lastIndexOf(')') + 2) === 'T';
    });
  } catch {
    return true;
  }
}
