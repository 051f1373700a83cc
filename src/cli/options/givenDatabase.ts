import { shellWord } from '../../domain/text/quoteForShell.ts';
import { type DatabaseAddress, readDatabaseUrl } from '../../store/connection/databaseAddress.ts';
import type { DatabaseOptions } from './clusterOptions.ts';
import { isSet, pickSecret, readSecret, readSecretVariable } from './readSecret.ts';

/** How to get into the database, as it was given: what a guardian hands to its node. */
export interface GivenDatabase {
  readonly url: string;
  /** Given apart, it wins over the URL's; null: it was not. */
  readonly password: string | null;
  /** As `databaseFlags` has them; absent: there are none. */
  readonly flags?: string;
}

/** Variables that are in the node's memory alone. */
type Secrets = Readonly<Record<string, string>>;

interface HandedOver extends GivenDatabase {
  readonly secrets: Secrets;
}

/**
 * What flags and environment name, or null.
 * @throws OperatorError 78 when it is given twice, or a file cannot be read.
 */
export function readGiven(options: DatabaseOptions): GivenDatabase | null {
  const what = 'the database URL';
  const flag = pickSecret('--database-url', what, options.databaseUrl, options.databaseUrlFile);
  const url =
    flag ??
    readSecretVariable('STATECRON_DATABASE_URL', what) ??
    readSecretVariable('DATABASE_URL', what);
  if (url === null) return null;
  // A flag wins over a variable: a password in the URL of the one over the file of the other.
  const isInFlag = flag !== null && /^\w+:\/\/[^:@]*:.+@/s.test(flag);
  const variable = isInFlag ? undefined : process.env.STATECRON_DATABASE_PASSWORD_FILE;
  const file = options.databasePasswordFile ?? variable;
  const password = isSet(file) ? readSecret(file, 'the password') : null;
  return { url, password, flags: databaseFlags(options) };
}

/** The files that these are read from. */
export function secretFilesOf(options: DatabaseOptions): string[] {
  const names = [...databaseFileVariables, `${smtpVariable}_FILE`];
  const named = names.map((name) => process.env[name]);
  return [options.databaseUrlFile, options.databasePasswordFile, ...named].filter(isSet);
}

/** @throws OperatorError 78 that says what is wrong with the URL. */
export function addressOf({ url, password }: GivenDatabase): DatabaseAddress {
  return readDatabaseUrl(url, password ?? undefined);
}

/** The environment without what says how to get into a database, or into a mail server. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rest = Object.entries(env).filter(([name]) => !secretVariables.has(name));
  return Object.fromEntries(rest);
}

/** The same of the arguments of a command line. */
export function withoutSecretFlags(args: readonly string[]): string[] {
  return args.filter((arg, place) => {
    const before = args[place - 1] ?? '';
    return !secretFlags.has(before) && !secretFlags.has(arg.replace(/=[\s\S]*$/, ''));
  });
}

/** What else is taken out of both, by the names of variables. */
export function secretsOf(args: readonly string[], env: NodeJS.ProcessEnv): Secrets {
  const place = args.findIndex((arg) => arg === smtpFlag || arg.startsWith(`${smtpFlag}=`));
  const given = args[place]?.slice(smtpFlag.length + 1);
  const url = place === -1 ? env[smtpVariable] : given === '' ? args[place + 1] : given;
  // The one that is given wins over a file, as a flag does.
  return isSet(url) ? { [smtpVariable]: url, [`${smtpVariable}_FILE`]: '' } : {};
}

/**
 * What a guardian hands to its node, for each process of it anew, as a password may have changed.
 * What cannot be read again (a pipe, a file that is gone) is handed as it was, after `trouble`.
 */
export function makeHandOver(
  first: GivenDatabase,
  readAgain: () => Promise<GivenDatabase | null>,
  secrets: Secrets,
  trouble: (error: unknown) => void,
): () => Promise<string> {
  let last = first;
  let isFirst = true;
  return async () => {
    if (!isFirst) last = (await readAgain().catch(trouble)) ?? last;
    isFirst = false;
    return JSON.stringify({ ...last, secrets } satisfies HandedOver);
  };
}

/** What a guardian handed over. */
export function readHandOver(text: string): HandedOver {
  return JSON.parse(text) as HandedOver;
}

/** A database's URL for a command that is to be typed, whatever letters its password has. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1:PASSWORD@');
}

/**
 * The flags that name a database, without its password, each behind a blank: for a command that is
 * to be typed for the same one. What variables say of it holds there by itself.
 */
export function databaseFlags(options: DatabaseOptions): string {
  const { databasePasswordFile, databaseUrl, databaseUrlFile } = options;
  const flags = {
    'database-url': databaseUrl && withoutPassword(databaseUrl),
    ...{ 'database-url-file': databaseUrlFile, 'database-password-file': databasePasswordFile },
  };
  return Object.entries(flags)
    .map(([flag, value]) => (value === undefined ? '' : ` --${flag} ${shellWord(value)}`))
    .join('');
}

const smtpFlag = '--smtp-url';
const smtpVariable = 'STATECRON_SMTP_URL';
const accessFlags = ['--database-url', '--database-url-file', '--database-password-file'];
const secretFlags: ReadonlySet<string> = new Set([...accessFlags, smtpFlag]);
/** That of the mail server is not among them: the node reads it itself. */
const databaseFileVariables = [
  ...['STATECRON_DATABASE_URL_FILE', 'DATABASE_URL_FILE', 'STATECRON_DATABASE_PASSWORD_FILE'],
];
const secretVariables: ReadonlySet<string> = new Set([
  ...[smtpVariable, 'STATECRON_DATABASE_URL', 'DATABASE_URL'],
  ...databaseFileVariables,
]);
