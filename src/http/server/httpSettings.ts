import type { ProxySettings } from './proxySettings.ts';
import type { TlsFiles } from './serverTls.ts';

/** How a node's API is reached. */
export interface HttpSettings {
  /** The address to listen on. */
  readonly host: string;
  readonly port: number;
  /** False: the port is the default; one of the next ones will do when it is taken. */
  readonly isPortWanted: boolean;
  /** What it speaks HTTPS by; null: it speaks HTTP. */
  readonly tls: TlsFiles | null;
  /** Names that clients reach it by, besides its own and those of this machine. */
  readonly names: readonly string[];
  /** Where browsers reach it, when that is through a proxy: `https://cron.example.com`. */
  readonly origins: readonly string[];
  /** The proxies before it that are believed; null: none. */
  readonly proxy: ProxySettings | null;
  /** Other sites whose pages may send requests, with a token: none unless named. */
  readonly corsOrigins: readonly string[];
  readonly connectionsMax: number;
  /** Of one address. Behind a proxy all clients have its address. */
  readonly connectionsPerAddressMax: number;
  /** Event streams and runs that are followed, of one token: each holds a connection. */
  readonly streamsPerTokenMax: number;
  /** Requests of one token that bring a body and are read and worked on at once; others wait. */
  readonly bodiesPerTokenMax: number;
  /** Changes that one token may request of this node: as a rate that lasts. */
  readonly changesPerSecond: number;
  /** Browsers that log in with one token, at this node. */
  readonly loginsPerHour: number;
  /** Metrics are shown without a token. */
  readonly isMetricsOpen: boolean;
  /** How many jobs have a series of their own in the metrics. */
  readonly metricsJobsMax: number;
}

export const httpDefaults: HttpSettings = {
  host: '127.0.0.1',
  port: 7700,
  isPortWanted: false,
  tls: null,
  names: [],
  origins: [],
  proxy: null,
  corsOrigins: [],
  connectionsMax: 1_024,
  connectionsPerAddressMax: 256,
  streamsPerTokenMax: 32,
  bodiesPerTokenMax: 8,
  changesPerSecond: 100,
  loginsPerHour: 60,
  isMetricsOpen: false,
  metricsJobsMax: 500,
};
