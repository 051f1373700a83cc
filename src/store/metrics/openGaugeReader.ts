import { type ClusterShown, readCluster } from '../cluster/clusterView.ts';
import { Channel, type ChannelBounds } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { integer, only } from '../rows/row.ts';
import { readSchemaFit, type SchemaFit } from '../schema/schemaFit.ts';
import { type JobLabel, readJobLabels, readLastSuccess } from './readLastSuccess.ts';
import { type RunTotal, readRunTotals, readSettledRunId } from './readRunTotals.ts';

/** What the whole cluster is asked for by metrics and health: reads alone, without locks. */
export interface GaugeReader {
  cluster(): Promise<ClusterShown>;
  /** Idle slots, counted up to so many. */
  idleSlots(slotsMax: number): Promise<number>;
  settledRunId(): Promise<number>;
  runTotals(after: number): Promise<{ until: number; totals: RunTotal[] }>;
  jobLabels(jobsMax: number): Promise<{ jobs: JobLabel[]; all: number }>;
  lastSuccess(jobIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  schemaFit(version: string): Promise<SchemaFit>;
  close(): Promise<void>;
}

const bounds: ChannelBounds = { timeoutMs: 5_000, lockWaitSeconds: 1, silenceSeconds: 30 };
const sessionsMax = 1_000;

/** Opens a connection of its own for them, at the first use. */
export function openGaugeReader(address: DatabaseAddress): GaugeReader {
  const channel = new Channel('gauges', address, bounds);
  return {
    cluster: () => readCluster(channel, { endedWithinMs: 0, sessionsMax }),
    idleSlots: async (slotsMax) =>
      (await channel.rows(only(integer), countIdle, [slotsMax]))[0] ?? 0,
    settledRunId: () => readSettledRunId(channel),
    runTotals: (after) => readRunTotals(channel, after),
    jobLabels: (jobsMax) => readJobLabels(channel, jobsMax),
    lastSuccess: (jobIds) => readLastSuccess(channel, jobIds),
    schemaFit: (version) => readSchemaFit(channel, version),
    close: () => channel.close(),
  };
}

const countIdle = `/* idleSlots */ SELECT COUNT(*) AS idle_slots FROM (
    SELECT 1 FROM slot FORCE INDEX (slot_by_due) WHERE state = 'idle' LIMIT ?) AS idle`;
