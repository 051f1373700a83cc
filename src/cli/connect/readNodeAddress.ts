import { readFileSync } from 'node:fs';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { NodeAddress } from '../../http/client/sendRequest.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { isSet, readSecret, readSecretVariable } from '../options/readSecret.ts';
import { printWarning } from '../output/lines/printWarning.ts';
import { usageFault } from '../output/reportFault.ts';

/**
 * The node that flags or environment name, or null when the command speaks to the database: a flag
 * wins over every variable, and STATECRON_URL over the variables that name a database. The token is
 * never read from a flag or the URL, since all the machine can read those.
 * @throws OperatorError 2 or 78 that says what is wrong with them.
 */
export function readNodeAddress(options: ClusterOptions): NodeAddress | null {
  const { env } = process;
  const isDatabaseGiven = isSet(options.databaseUrl) || isSet(options.databaseUrlFile);
  if (isSet(options.url) && isDatabaseGiven) {
    throw usageFault('--url and --database-url do not go together.');
  }
  const text = isDatabaseGiven ? undefined : (options.url ?? env.STATECRON_URL);
  if (!isSet(text)) return null;
  const url = readUrl(text, isSet(options.url) ? '--url' : 'STATECRON_URL');
  const token = isSet(options.tokenFile)
    ? readSecret(options.tokenFile, 'the token')
    : readSecretVariable('STATECRON_TOKEN', 'the token');
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) {
    throw addressFault('The token has characters that no token has.', 'Check the file with it.');
  }
  if (token !== null && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    printWarning(`the token goes to ${url.host} unencrypted; give it an https address`);
  }
  return { url, token, authority: readAuthority(options.tlsCa ?? env.STATECRON_TLS_CA, url) };
}

function readUrl(text: string, setting: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.search === '' && url.hash === '';
  // What has an @ may have a password before it.
  const shown = text.includes('@') ? 'this' : JSON.stringify(text);
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw addressFault(
      `${setting}: ${shown} is no address of a node's API.`,
      'Write it as http://HOST:PORT or https://HOST:PORT.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw addressFault(
      "The URL has a user or a password in it; a node's API takes a token.",
      'Give that with --token-file, STATECRON_TOKEN_FILE or STATECRON_TOKEN.',
    );
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function readAuthority(file: string | undefined, url: URL): string | null {
  if (!isSet(file) || url.protocol !== 'https:') return null;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw addressFault(
      `The authority's certificate cannot be read: ${(cause as Error).message}.`,
      `Check that ${file} is there and readable by this user.`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function addressFault(message: string, hint: string): OperatorError {
  return new OperatorError({
    code: 'node_address',
    message,
    hint,
    exitCode: exitCodes.configuration,
  });
}
