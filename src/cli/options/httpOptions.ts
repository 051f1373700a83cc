import { InvalidArgumentError } from 'commander';
import { type HttpSettings, httpDefaults } from '../../http/server/httpSettings.ts';
import { custom, type FlagsOf, list, nodeFault, number, toggle } from './optionTable.ts';
import { type proxyOptions, readProxy } from './proxyOptions.ts';
import { readNumber } from './readOptions.ts';

const { host, port, ...bounds } = httpDefaults;
const upTo = [1, 100_000] as const;

/** Where a node's API listens, for whom, and what one client may have of it. */
export const httpOptions = {
  http: custom<number | 'off' | undefined>(
    'port',
    `where its API listens, or off (${port}, or the next free)`,
    readPort,
  ),
  httpHost: custom('address', `the address that it listens on (${host})`),
  httpCert: custom('file', 'serve HTTPS with this certificate (PEM, with those between)'),
  httpKey: custom('file', 'the private key of that certificate (PEM)'),
  httpName: list('name', 'a host name that it is reached by; may be repeated'),
  httpOrigin: list('url', 'where browsers reach it by a proxy; may be repeated'),
  httpCors: list('url', 'a site whose pages may call it; may be repeated'),
  metricsOpen: toggle('show metrics without a token'),
  metricsJobs: number(
    'how many jobs have a series of their own in the metrics',
    [0, 100_000],
    bounds.metricsJobsMax,
  ),
  httpConnections: number('how many connections it has at most', upTo, bounds.connectionsMax),
  httpConnectionsPerAddress: number(
    'how many of them one address has, that of a proxy too',
    upTo,
    bounds.connectionsPerAddressMax,
  ),
  httpStreamsPerToken: number(
    'how many streams one token holds open',
    upTo,
    bounds.streamsPerTokenMax,
  ),
  httpBodiesPerToken: number(
    'how many requests with a body of one token it works on at once',
    upTo,
    bounds.bodiesPerTokenMax,
  ),
  httpChangesPerSecond: number(
    'how many changes one token requests in the long run',
    upTo,
    bounds.changesPerSecond,
  ),
  httpLoginsPerHour: number('how many browsers one token logs in', upTo, bounds.loginsPerHour),
};

export type HttpFlags = FlagsOf<typeof httpOptions> & FlagsOf<typeof proxyOptions>;

/**
 * Where and how a node's API is to be served; null: it is not.
 * @throws OperatorError (2) that names the flag.
 */
export function readHttp(flags: HttpFlags): HttpSettings | null {
  const { http, httpName = [], httpOrigin = [], httpCors = [] } = flags;
  if (http === 'off') return null;
  for (const name of httpName) {
    if (!/^[a-z0-9._:[\]-]{1,253}$/i.test(name)) {
      throw nodeFault('--http-name: a host name is required.');
    }
  }
  return {
    host: flags.httpHost ?? host,
    port: http ?? port,
    isPortWanted: http !== undefined,
    tls: readTlsFiles(flags),
    names: httpName,
    origins: httpOrigin.map((url) => readOrigin('--http-origin', url)),
    proxy: readProxy(flags),
    corsOrigins: httpCors.map((url) => readOrigin('--http-cors', url)),
    connectionsMax: flags.httpConnections,
    connectionsPerAddressMax: flags.httpConnectionsPerAddress,
    streamsPerTokenMax: flags.httpStreamsPerToken,
    bodiesPerTokenMax: flags.httpBodiesPerToken,
    changesPerSecond: flags.httpChangesPerSecond,
    loginsPerHour: flags.httpLoginsPerHour,
    isMetricsOpen: flags.metricsOpen === true,
    metricsJobsMax: flags.metricsJobs,
  };
}

function readTlsFiles({ httpCert, httpKey }: HttpFlags): HttpSettings['tls'] {
  if (httpCert === undefined && httpKey === undefined) return null;
  if (httpCert !== undefined && httpKey !== undefined) {
    return { certFile: httpCert, keyFile: httpKey };
  }
  throw nodeFault(
    httpCert === undefined
      ? '--http-key: HTTPS needs the certificate as well, --http-cert FILE.'
      : '--http-cert: HTTPS needs its key as well, --http-key FILE.',
  );
}

function readPort(given: string): number | 'off' {
  if (given === 'off') return given;
  try {
    return readNumber(0, 65_535)(given);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`${error.message} Or: off`);
  }
}

/** Scheme, host and port, as a browser sends them. */
function readOrigin(flag: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
  if (!isPlain || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw nodeFault(`${flag}: an address such as https://cron.example.com is required.`);
  }
  return url.origin;
}
