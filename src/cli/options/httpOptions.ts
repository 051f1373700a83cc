import { type Command, InvalidArgumentError } from 'commander';
import { type HttpSettings, httpDefaults } from '../../http/server/httpSettings.ts';
import { usageFault } from '../output/reportFault.ts';
import { collect, readNumber } from './readOptions.ts';

/** The flags of a node's API, as commander read them. */
export interface HttpFlags {
  readonly http?: number | 'off';
  readonly httpHost?: string;
  readonly httpName?: readonly string[];
  readonly httpOrigin?: readonly string[];
  readonly httpCors?: readonly string[];
  readonly httpConnections: number;
  readonly httpConnectionsPerAddress: number;
  readonly httpStreamsPerToken: number;
  readonly httpBodiesPerToken: number;
  readonly httpChangesPerSecond: number;
  readonly httpLoginsPerHour: number;
  readonly metricsOpen?: boolean;
  readonly metricsJobs: number;
}

const portMax = 65_535;
const boundMax = 100_000;
const jobLabelsMax = 100_000;

/** What one client may have of a node, so that there is something left for the others. */
const bounds: readonly [string, string, number][] = [
  ['--http-connections', 'how many connections it has at most', httpDefaults.connectionsMax],
  [
    '--http-connections-per-address',
    'how many of them one address has, that of a proxy too',
    httpDefaults.connectionsPerAddressMax,
  ],
  [
    '--http-streams-per-token',
    'how many streams one token holds open',
    httpDefaults.streamsPerTokenMax,
  ],
  [
    '--http-bodies-per-token',
    'how many requests with a body of one token it works on at once',
    httpDefaults.bodiesPerTokenMax,
  ],
  [
    '--http-changes-per-second',
    'how many changes one token asks for in the long run',
    httpDefaults.changesPerSecond,
  ],
  ['--http-logins-per-hour', 'how many browsers one token logs in', httpDefaults.loginsPerHour],
];

/** Adds the flags by which `node` and `up` are told where their API listens, and for whom. */
export function addHttpOptions(command: Command): Command {
  const { port, host } = httpDefaults;
  for (const [flag, text, usual] of bounds) {
    command.option(`${flag} <number>`, text, readNumber(1, boundMax), usual);
  }
  return command
    .option('--http <port>', `where its API listens, or off (${port}, or the next free)`, readPort)
    .option('--http-host <address>', `the address that it listens on (${host})`)
    .option('--http-name <name>', 'a host name that it is reached by; may be repeated', collect)
    .option('--http-origin <url>', 'where browsers reach it by a proxy; may be repeated', collect)
    .option('--http-cors <url>', 'a site whose pages may ask it; may be repeated', collect)
    .option('--metrics-open', 'tell metrics without a token')
    .option(
      '--metrics-jobs <number>',
      'how many jobs have a series of their own in the metrics',
      readNumber(0, jobLabelsMax),
      httpDefaults.metricsJobsMax,
    );
}

/**
 * Where and how a node's API is to be served; null: it is not.
 * @throws OperatorError (2) that names the flag.
 */
export function readHttp(flags: HttpFlags): HttpSettings | null {
  const { http, httpName = [], httpOrigin = [], httpCors = [] } = flags;
  if (http === 'off') return null;
  for (const name of httpName) {
    if (!/^[a-z0-9._:[\]-]{1,253}$/i.test(name)) throw fault('--http-name: a host name is wanted');
  }
  const isMetricsOpen = flags.metricsOpen === true;
  return {
    host: flags.httpHost ?? httpDefaults.host,
    port: http ?? httpDefaults.port,
    isPortWanted: http !== undefined,
    names: httpName,
    origins: httpOrigin.map((text) => readOrigin('--http-origin', text)),
    corsOrigins: httpCors.map((text) => readOrigin('--http-cors', text)),
    connectionsMax: flags.httpConnections,
    connectionsPerAddressMax: flags.httpConnectionsPerAddress,
    streamsPerTokenMax: flags.httpStreamsPerToken,
    bodiesPerTokenMax: flags.httpBodiesPerToken,
    changesPerSecond: flags.httpChangesPerSecond,
    loginsPerHour: flags.httpLoginsPerHour,
    ...{ isMetricsOpen, metricsJobsMax: flags.metricsJobs },
  };
}

function readPort(text: string): number | 'off' {
  if (text === 'off') return text;
  try {
    return readNumber(0, portMax)(text);
  } catch (error) {
    throw error instanceof InvalidArgumentError
      ? new InvalidArgumentError(`${error.message} Or: off`)
      : error;
  }
}

/** Scheme, host and port, as a browser tells them. */
function readOrigin(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
  if (!isPlain || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw fault(`${flag}: an address such as https://cron.example.com is wanted`);
  }
  return url.origin;
}

function fault(message: string) {
  return usageFault(`${message}.`, 'See: statecron node --help');
}
