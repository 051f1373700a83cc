import { checkAddressRange } from '../../domain/access/addressRanges.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { checkMailAddress } from '../../domain/notifications/notificationTarget.ts';
import type { MailServer } from '../../exec/notifications/mailSender.ts';
import type { SenderSettings } from '../../exec/notifications/notificationSender.ts';
import { custom, type FlagsOf, list, nodeFault } from './optionTable.ts';
import { pickSecret, readSecretVariable } from './readSecret.ts';

/** How a node sends notifications; `node` and `up` share them. */
export const sendingOptions = {
  smtpUrl: custom('url', 'smtps://USER:PASSWORD@HOST:465 to send mails (STATECRON_SMTP_URL)'),
  smtpUrlFile: custom(
    'file',
    'a file with that URL, which no job reads in /proc (STATECRON_…_FILE)',
  ),
  mailFrom: custom('address', 'who its mails are from (STATECRON_MAIL_FROM)'),
  webhookAllow: list(
    'range',
    'an address or range inside that webhooks and pings may go to; may be repeated',
  ),
};

export type SendingFlags = FlagsOf<typeof sendingOptions>;

/**
 * How a node sends, from flags and environment.
 * @throws OperatorError that names the flag at fault.
 */
export function readSending(
  flags: Partial<SendingFlags>,
  env: NodeJS.ProcessEnv = process.env,
): SenderSettings {
  const what = 'the URL of the mail server';
  const url =
    pickSecret('--smtp-url', what, flags.smtpUrl, flags.smtpUrlFile) ??
    readSecretVariable('STATECRON_SMTP_URL', what, env);
  const webhookAllow = flags.webhookAllow ?? [];
  for (const range of webhookAllow) {
    const fault = checkAddressRange(range);
    if (fault !== null) throw nodeFault(`--webhook-allow: ${fault}.`);
  }
  const from = flags.mailFrom ?? env.STATECRON_MAIL_FROM;
  return { mailServer: url === null ? null : readMailServer(url, from), webhookAllow };
}

/**
 * `smtp:` uses TLS where the server has it, `smtp+tls:` not without, `smtps:` from the start. A
 * password never goes over a connection that is not encrypted.
 */
export function readMailServer(given: string, from: string | undefined): MailServer {
  const url = URL.canParse(given) ? new URL(given) : null;
  const port = url === null ? undefined : ports[url.protocol];
  // The URL itself is not shown: it may have a password in it.
  if (url === null || port === undefined || url.hostname === '') {
    throw smtpFault('it is not smtp://, smtp+tls:// or smtps:// with a host');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (from === undefined || checkMailAddress(from) !== null) {
    throw nodeFault('--mail-from: a mail address is required, who the mails are from.');
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if ((user === null) !== (password === null)) throw smtpFault('it has a user or a password only');
  return {
    ...{ host, port: url.port === '' ? port : Number(url.port), user, password, from },
    isSecure: url.protocol === 'smtps:',
    needsTls: url.protocol === 'smtp+tls:' || user !== null,
  };
}

const ports: Readonly<Record<string, number>> = { 'smtp:': 25, 'smtp+tls:': 587, 'smtps:': 465 };

function decoded(part: string): string | null {
  if (part === '') return null;
  try {
    return decodeURIComponent(part);
  } catch {
    throw smtpFault('its user or password has a % that encodes nothing');
  }
}

function smtpFault(why: string): OperatorError {
  return new OperatorError({
    code: 'smtp_url',
    message: `The URL of the mail server cannot be used: ${why}.`,
    hint: 'Write it as smtps://USER:PASSWORD@mail.example.com:465, or smtp+tls://…:587.',
    exitCode: exitCodes.configuration,
  });
}
