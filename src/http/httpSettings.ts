/** How a node's API is reached. */
export interface HttpSettings {
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  /** False: the port was not asked for; one of the next ones will do when it is taken. */
  readonly isPortWanted: boolean;
  /** Names that clients reach it by, besides its own and those of this machine. */
  readonly names: readonly string[];
  /** Where browsers reach it, when that is through a proxy: `https://cron.example.com`. */
  readonly origins: readonly string[];
  /** Other sites whose pages may ask it, with a token: none unless named. */
  readonly corsOrigins: readonly string[];
  readonly connectionsMax: number;
  /** Metrics are told without a token. */
  readonly isMetricsOpen: boolean;
  /** How many jobs have a series of their own in the metrics. */
  readonly metricsJobsMax: number;
}

export const httpDefaults: HttpSettings = {
  host: '127.0.0.1',
  port: 7700,
  isPortWanted: false,
  names: [],
  origins: [],
  corsOrigins: [],
  connectionsMax: 1_024,
  isMetricsOpen: false,
  metricsJobsMax: 500,
};
