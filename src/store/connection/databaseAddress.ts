import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions, SslOptions } from 'mysql2/promise';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** Where the database is and how to get in; several hosts are tried in turn. */
export interface DatabaseAddress {
  readonly hosts: readonly { host: string; port: number }[];
  /** Of the connections to come: they change when who gets in, or how, is read again. */
  options: ConnectionOptions;
  /** The URL without its password, for people. */
  readonly shown: string;
}

const schemes = new Set(['mysql:', 'mariadb:']);
const knownParameters = new Set(['socketPath', 'ssl', 'sslCa', 'sslCert', 'sslKey']);

/**
 * Reads `mysql://user:password@host1:3306,host2/database?…`. Parameters: `socketPath`;
 * `ssl=identity` (encrypted; the certificate is of the system's authorities and names the host),
 * `ssl=required` (the same, whatever host it names), `ssl=unverified` (encrypted only); `sslCa`,
 * `sslCert`, `sslKey` (PEM files; each implies `ssl=required`). A password given apart wins over
 * the URL's, so that it need not stand in the environment.
 * @throws OperatorError 78 that names what is wrong.
 */
export function readDatabaseUrl(text: string, password?: string): DatabaseAddress {
  const [first, ...rest] = splitHosts(text);
  let url: URL;
  try {
    url = new URL(first);
  } catch (cause) {
    throw badUrl('it is not a URL', cause);
  }
  if (!schemes.has(url.protocol)) throw badUrl(`the scheme is ${url.protocol}//`);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw badUrl('no database is named');
  for (const name of url.searchParams.keys()) {
    if (!knownParameters.has(name)) throw badUrl(`the parameter ${name} is unknown`);
  }
  const hosts = [url.host, ...rest].map(readHost);
  const socketPath = url.searchParams.get('socketPath');
  const tls = readTls(url.searchParams);
  // The driver names no address to TLS, which then looks for "localhost" in the certificate.
  if (tls?.verifyIdentity === true && hosts.some(({ host }) => isIP(host) !== 0)) {
    throw badUrl('ssl=identity checks the name of a host: write that, not its address');
  }
  const options: ConnectionOptions = {
    user: decodeURIComponent(url.username),
    database,
    ...(socketPath === null ? {} : { socketPath }),
    ...(tls === undefined ? {} : { ssl: tls }),
  };
  const secret = password ?? decodeURIComponent(url.password);
  if (secret !== '') options.password = secret;
  url.password = '';
  return { hosts, options, shown: url.toString() };
}

/**
 * Takes over user, password and TLS of an address that was read again: connections that are opened
 * from now on get in by them.
 * @throws OperatorError 78 when it leads elsewhere.
 */
export function renewAccess(address: DatabaseAddress, fresh: DatabaseAddress): void {
  const placeOf = ({ hosts, options: { database, socketPath } }: DatabaseAddress) =>
    JSON.stringify([hosts, database, socketPath]);
  if (placeOf(fresh) !== placeOf(address)) {
    throw new OperatorError({
      code: 'database_moved',
      message: `The database is another one now: ${fresh.shown}.`,
      hint: 'Start the node anew: what it runs is recorded in the one that it has.',
      exitCode: exitCodes.configuration,
    });
  }
  address.options = fresh.options;
}

function splitHosts(text: string): [string, ...string[]] {
  const match = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/is.exec(text);
  if (match === null) return [text];
  const [first = '', ...rest] = (match[2] ?? '').split(',');
  return [`${match[1]}${first}${match[3]}`, ...rest];
}

function readHost(text: string): { host: string; port: number } {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(text);
  if (match === null) throw badUrl(`the host ${JSON.stringify(text)} cannot be read`);
  const host = (match[1] || 'localhost').replace(/^\[|\]$/g, '');
  return { host, port: match[2] === undefined ? 3306 : Number(match[2]) };
}

function readTls(parameters: URLSearchParams): SslOptions | undefined {
  const mode = parameters.get('ssl');
  const files = { ca: 'sslCa', cert: 'sslCert', key: 'sslKey' } as const;
  const read = Object.entries(files).flatMap(([option, parameter]) => {
    const path = parameters.get(parameter);
    return path === null ? [] : [[option, readFile(path, parameter)] as const];
  });
  if (mode === null && read.length === 0) return undefined;
  if (mode !== null && !tlsModes.has(mode)) {
    throw badUrl(`ssl=${mode} is not one of ${[...tlsModes].join(', ')}`);
  }
  return {
    ...Object.fromEntries(read),
    rejectUnauthorized: mode !== 'unverified',
    verifyIdentity: mode === 'identity',
  };
}

const tlsModes: ReadonlySet<string> = new Set(['identity', 'required', 'unverified']);

function readFile(path: string, parameter: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw badUrl(`the file of ${parameter} cannot be read (${path})`, cause);
  }
}

function badUrl(what: string, cause?: unknown): OperatorError {
  return new OperatorError({
    code: 'database_url',
    message: `The database URL cannot be used: ${what}.`,
    hint: 'Write it as mysql://USER:PASSWORD@HOST:3306/DATABASE, e.g. mysql://cron@db/statecron.',
    exitCode: exitCodes.configuration,
    cause,
  });
}
