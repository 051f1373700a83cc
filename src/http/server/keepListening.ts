import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { HttpSettings } from './httpSettings.ts';
import { type HttpListener, openListener } from './openListener.ts';

/** A socket that listens, or will. */
export type KeptListener = Pick<HttpListener, 'attach' | 'renew' | 'close'>;

interface ListenerReports {
  listens(url: string): void;
  /** Called once for each reason, however often the same is tried. */
  cannot(error: Error): void;
}

interface ListenerPatience {
  /** How long after a try that failed the next one follows. */
  readonly retryMs: number;
  /** The first try, too, may fail for whatever reason. */
  readonly isForAnything: boolean;
}

/**
 * Listens now, or as soon as it can: an address that is taken or is not there yet, or a token that
 * is still to be made, is no reason for the node behind it not to work.
 * @throws OperatorError `http_address` (78) of an address that does not become right by waiting,
 * `http_certificate` (78).
 */
export async function keepListening(
  settings: HttpSettings,
  hasToken: () => Promise<boolean>,
  reports: ListenerReports,
  { retryMs, isForAnything }: ListenerPatience,
): Promise<KeptListener> {
  let listener: HttpListener | null = null;
  let answer: Parameters<HttpListener['attach']>[0] | null = null;
  let reason = '';
  let timer: NodeJS.Timeout | null = null;
  let attempting = Promise.resolve();
  let isClosed = false;
  const attempt = async (): Promise<void> => {
    const opened = await openListener(settings, hasToken);
    listener = opened;
    if (answer !== null) opened.attach(answer);
    reports.listens(opened.url);
  };
  const tryLater = (error: Error): void => {
    if (error.message !== reason) reports.cannot(error);
    reason = error.message;
    if (isClosed) return;
    timer = setTimeout(() => {
      attempting = attempt().catch(tryLater);
    }, retryMs);
  };
  await attempt().catch((error: Error) => {
    if (!isForAnything && !isPassing(error)) throw error;
    tryLater(error);
  });
  return {
    attach: (next) => {
      answer = next;
      listener?.attach(next);
    },
    renew: () => listener?.renew(),
    close: async () => {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await attempting;
      await listener?.close();
    },
  };
}

function isPassing(error: Error): boolean {
  return error instanceof OperatorError && error.exitCode === exitCodes.tryAgain;
}
