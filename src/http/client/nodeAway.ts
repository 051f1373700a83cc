import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { NodeAddress } from './nodeAddress.ts';

/** A fault of the node, of its database or of a proxy before it that will pass. */
export function isPassing({ code, exitCode }: OperatorError): boolean {
  if (code === 'too_many_failures' || code === 'revision_changed') return false;
  if (code === 'idempotency_held') return true;
  return exitCode === exitCodes.databaseAway || exitCode === exitCodes.tryAgain;
}

/** No pause makes a certificate another one. */
export function isOfEncryption(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return /SSL|CERT|TLS|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(String(code));
}

/** The node does not answer, and nothing can have been done. */
export function nodeAway({ url }: NodeAddress, cause: Error): OperatorError {
  const isEncryption = isOfEncryption(cause);
  const detail = cause.message || 'it does not answer';
  return new OperatorError({
    code: isEncryption ? 'api_encryption' : 'api_away',
    message: `The node at ${url.origin} cannot be reached: ${detail}.`,
    hint: isEncryption
      ? 'Give the authority of its certificate with --tls-ca FILE.'
      : 'Check that a node runs there with --http, or ask another one: --url',
    exitCode: isEncryption ? exitCodes.configuration : exitCodes.databaseAway,
    cause,
  });
}

/** What answers there is something else. */
export function notStatecron({ url }: NodeAddress, cause: unknown): OperatorError {
  return new OperatorError({
    code: 'api_answer',
    message: `What answers at ${url.origin} is not the API of a node: its answer is no JSON.`,
    hint: 'Check the URL; a path before /api/v1 belongs to it.',
    exitCode: exitCodes.configuration,
    cause,
  });
}
