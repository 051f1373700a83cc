/** The databases that faults are injected into. */
export const faultEngines = ['mariadb', 'mysql', 'galera', 'group-replication'] as const;
export type FaultEngineName = (typeof faultEngines)[number];

/** A database under supervision: one server, or a cluster of three. */
export interface FaultEngine {
  readonly name: FaultEngineName;
  /** For people: the family and the version that runs. */
  readonly version: string;
  readonly members: readonly EngineMember[];
  readonly can: EngineAbilities;
  /** From the loss of the member that took writes until another takes them: the longest, ms. */
  readonly failoverMsMax: number;
  /** Makes an empty database that the ordinary user may use; resolves to its name. */
  createDatabase(): Promise<string>;
  /** The members that take writes now. */
  writable(): Promise<EngineMember[]>;
  /** Undoes every fault: each member runs, has its true clock, is part of the whole and writes. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Which faults this engine can be given on this machine. */
export interface EngineAbilities {
  /** False without libfaketime. */
  readonly stepClock: boolean;
  /** Clusters: one member can be parted from the others. */
  readonly isolate: boolean;
}

export type MemberState = 'running' | 'stopped' | 'dead';

/** One server. Its port and data stay the same over its lives. */
export interface EngineMember {
  readonly name: string;
  readonly port: number;
  /** What we did to it last; a server that died by itself is `dead` too. */
  state(): Promise<MemberState>;
  /** Straight to it, with every right; for triggers, reading and global variables. */
  adminUrl(database?: string): string;
  /** Straight to it, as an ordinary user, whom `read_only` and `max_connections` bind. */
  userUrl(database?: string): string;
  /** Statements as the administrator, on a connection of their own; resolves to the last's rows. */
  query(...statements: string[]): Promise<Record<string, unknown>[]>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** After a kill; resolves when it answers, and in a cluster is part of it again. */
  start(): Promise<void>;
  /** SIGTERM, then start. */
  restart(): Promise<void>;
  /** SIGSTOP: it hears nothing, but the kernel still takes connections for it. */
  stop(): Promise<void>;
  /** SIGCONT. */
  cont(): Promise<void>;
  /** Parts it from the other members; it still takes connections. */
  isolate(): Promise<void>;
  /** Ends `isolate`; resolves when it is part of the cluster again. */
  rejoin(): Promise<void>;
  /** Its wall clock against the machine's from now on; 0: the true time. */
  stepClock(offsetMs: number): Promise<void>;
  /** True when it takes writes of an ordinary user now; answers within about 2 s. */
  isWritable(): Promise<boolean>;
}

export interface EngineOptions {
  readonly report?: (line: string) => void;
  /** Group Replication: every member takes writes; else one primary. Default false. */
  readonly multiPrimary?: boolean;
  /** Group Replication: how long a suspected member may still come back. Default 5, as MySQL's. */
  readonly expelSeconds?: number;
  /**
   * Preload libfaketime, so that the clocks can be stepped. Default: where it costs little, which
   * is with MariaDB (941 small transactions a second for 1,487) and Galera; with it MySQL starts in
   * 8 s instead of 1.3 s and does a sixth of the work.
   */
  readonly faketime?: boolean;
}
