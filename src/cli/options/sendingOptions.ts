import { type Command, Option } from 'commander';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { checkMailAddress } from '../../domain/notifications/notificationTarget.ts';
import { checkAddressRange } from '../../exec/notifications/addressRules.ts';
import type { MailServer } from '../../exec/notifications/mailSender.ts';
import type { SenderSettings } from '../../exec/notifications/notificationSender.ts';
import { usageFault } from '../output/reportFault.ts';
import { collect } from './readOptions.ts';
import { pickSecret } from './readSecret.ts';

/** The flags by which a node is told how it sends notifications. */
export interface SendingFlags {
  readonly smtpUrl?: string;
  readonly smtpUrlFile?: string;
  readonly mailFrom?: string;
  readonly webhookAllow?: readonly string[];
}

/** Adds the flags that `node` and `up` share. */
export function addSendingOptions(command: Command): Command {
  const options = [
    ['--smtp-url <url>', 'smtps://USER:PASSWORD@HOST:465 to send mails (STATECRON_SMTP_URL)'],
    [
      '--smtp-url-file <file>',
      'a file with that URL, which no job reads in /proc (STATECRON_…_FILE)',
    ],
    ['--mail-from <address>', 'who its mails are from (STATECRON_MAIL_FROM)'],
  ] as const;
  for (const [flags, text] of options) command.addOption(optionOf(flags, text));
  const allow = 'an address or range inside that webhooks and pings may go to; may be repeated';
  return command.addOption(optionOf('--webhook-allow <range>', allow).argParser(collect));
}

function optionOf(flags: string, text: string): Option {
  return new Option(flags, text).helpGroup('Telling people:');
}

/**
 * How a node sends, from flags and environment.
 * @throws OperatorError that names the flag at fault.
 */
export function readSending(
  flags: SendingFlags,
  env: NodeJS.ProcessEnv = process.env,
): SenderSettings {
  const what = 'the URL of the mail server';
  const url =
    pickSecret({ name: '--smtp-url', what, value: flags.smtpUrl, file: flags.smtpUrlFile }) ??
    pickSecret({
      ...{ name: 'STATECRON_SMTP_URL', what },
      ...{ value: env.STATECRON_SMTP_URL, file: env.STATECRON_SMTP_URL_FILE },
    });
  const webhookAllow = flags.webhookAllow ?? [];
  for (const range of webhookAllow) {
    const fault = checkAddressRange(range);
    if (fault !== null) throw usageFault(`--webhook-allow: ${fault}.`, see);
  }
  const from = flags.mailFrom ?? env.STATECRON_MAIL_FROM;
  return { mailServer: url === null ? null : readMailServer(url, from), webhookAllow };
}

/**
 * `smtp:` uses TLS where the server has it, `smtp+tls:` not without, `smtps:` from the start. A
 * password never goes over a connection that is not encrypted.
 */
export function readMailServer(text: string, from: string | undefined): MailServer {
  const url = URL.canParse(text) ? new URL(text) : null;
  const kind = url === null ? undefined : ports[url.protocol];
  // The URL itself is not shown: it may have a password in it.
  if (url === null || kind === undefined || url.hostname === '') {
    throw smtpFault('it is not smtp://, smtp+tls:// or smtps:// with a host');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (from === undefined || checkMailAddress(from) !== null) {
    throw usageFault('--mail-from: a mail address is wanted, who the mails are from.', see);
  }
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if ((user === null) !== (password === null)) throw smtpFault('it has a user or a password only');
  return {
    ...{ host, port: url.port === '' ? kind.port : Number(url.port), user, password, from },
    isSecure: url.protocol === 'smtps:',
    needsTls: url.protocol === 'smtp+tls:' || user !== null,
  };
}

const ports: Readonly<Record<string, { readonly port: number }>> = {
  'smtp:': { port: 25 },
  'smtp+tls:': { port: 587 },
  'smtps:': { port: 465 },
};

function decoded(text: string): string | null {
  if (text === '') return null;
  try {
    return decodeURIComponent(text);
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

const see = 'See: statecron node --help';
