/** What the model of a database is made of; milliseconds, but for the cores. */
export interface ModelConstants {
  readonly cores: number;
  readonly roundTripMs: number;
  readonly statementMs: number;
  readonly rowReadMs: number;
  readonly rowPassedMs: number;
  readonly rowWrittenMs: number;
  readonly commitMs: number;
  readonly flushMs: number;
}

interface Constant {
  readonly value: number;
  readonly from: string;
}

/** By measureConstants.ts, on a MariaDB 10.11 with its data on a disk: the least of seven. */
const measured = 'measured: ';

/** The constants, and where each comes from. */
export const modelConstants = {
  cores: { value: 8, from: 'chosen, for a usual machine of a database; --cores' },
  roundTripMs: { value: 0.5, from: 'chosen, for one network of one site; --round-trip' },
  statementMs: { value: 0.056, from: `${measured}a row by its key` },
  rowReadMs: { value: 0.000_64, from: `${measured}readLiveNodes of 1,000 sessions` },
  rowPassedMs: { value: 0.000_19, from: `${measured}peekDue over 20,000 slots of others` },
  rowWrittenMs: { value: 0.001_9, from: `${measured}510 rows beside 10` },
  commitMs: { value: 0.22, from: `${measured}a COMMIT of one row beside a ROLLBACK of none` },
  flushMs: { value: 0.59, from: `${measured}the same, by the clock` },
} as const satisfies Record<keyof ModelConstants, Constant>;
