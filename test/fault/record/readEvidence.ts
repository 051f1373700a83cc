import { sinceAttached } from '../attach/sinceAttached.ts';
import { type LedgerProcess, readLedgers } from './readLedgers.ts';
import { type DatabaseTables, readTables } from './readTables.ts';

/** Where what is told of a run is to be read: plain data, so that another process can. */
export interface EvidencePlace {
  readonly url: string;
  /** Several members write, whose automatic ids tell no order. */
  readonly byTime: boolean;
  readonly ledgerFolder: string;
  /** Of a cluster of somebody else; absent: all of it is of the run. */
  readonly attached?: {
    /** From which revision on each job's history is the run's. */
    readonly since: ReadonlyMap<number, number>;
    /** When each launch was last seen to live, by the boot clock. */
    readonly lastSeenMs: ReadonlyMap<string, number>;
  };
}

export interface Evidence {
  readonly tables: DatabaseTables;
  readonly processes: readonly LedgerProcess[];
}

/** Reads what is told of a run; the ledgers of its jobs up to an instant of the boot clock. */
export async function readEvidence(place: EvidencePlace, untilMs: number): Promise<Evidence> {
  const { attached, byTime, ledgerFolder, url } = place;
  const tables = await readTables(url, byTime);
  const processes = await readLedgers(ledgerFolder, untilMs);
  if (attached === undefined) return { tables, processes };
  const seen = processes.map((process) => {
    const seenMs = Math.min(attached.lastSeenMs.get(process.launchId) ?? 0, untilMs);
    return { ...process, lastSeenMs: Math.max(process.lastSeenMs, seenMs) };
  });
  return { tables: sinceAttached(tables, attached.since), processes: seen };
}
