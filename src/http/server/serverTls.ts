import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** The PEM files that a node serves HTTPS by. */
export interface TlsFiles {
  /** Its certificate, and behind it those between it and the authority. */
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Reads them as they are now.
 * @throws OperatorError `http_certificate` (78) when they cannot be used together, or when others
 * may read the key.
 */
export function readServerTls({ certFile, keyFile }: TlsFiles): { cert: Buffer; key: Buffer } {
  const cert = readPart(certFile, 'certificate');
  const key = readPart(keyFile, 'key');
  if ((statSync(keyFile).mode & 0o007) !== 0) {
    throw unusable(`everybody may use the key in ${keyFile}`, `Protect it: chmod 600 ${keyFile}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const why = (cause as Error).message;
    const hint = 'Give the two PEM files that belong together, the certificate of the node first.';
    throw unusable(`${certFile} and ${keyFile} do not fit: ${why}`, hint, cause);
  }
  return { cert, key };
}

function readPart(file: string, what: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const hint = `Check that ${file} is there and readable by the user of the node.`;
    throw unusable(`the ${what} cannot be read: ${(cause as Error).message}`, hint, cause);
  }
}

function unusable(why: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError({
    code: 'http_certificate',
    message: `The API cannot be served over HTTPS: ${why}.`,
    hint,
    exitCode: exitCodes.configuration,
    cause,
  });
}
