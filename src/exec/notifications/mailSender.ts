import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { checkMailAddress } from '../../domain/notifications/notificationTarget.ts';
import { notificationText } from '../../domain/notifications/notificationText.ts';

/** The mail server of a node, from its flags. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; without it STARTTLS is used where the server has it. */
  readonly isSecure: boolean;
  /** Nothing is sent over a connection that is not encrypted. */
  readonly needsTls: boolean;
  readonly user: string | null;
  readonly password: string | null;
  /** Who the mails are from: one plain address. */
  readonly from: string;
}

const connectMsMax = 10_000;
/** Longer than a greeting may take, so that a server without a greeting is reported as such. */
const silenceMsMax = 15_000;
const mailMsMax = 30_000;

/**
 * Sends one notification by mail. Its Message-ID is made of the notification's id, so that a mail
 * that is sent twice is known again.
 * @throws Error that says what was wrong.
 */
export async function sendMail(
  server: MailServer,
  address: string,
  message: NotificationMessage,
): Promise<void> {
  const { subject, body } = notificationText(message);
  const domain = server.from.split('@').at(-1) ?? 'localhost';
  const headers = {
    'X-Statecron-Notification': message.id,
    'X-Statecron-Event': message.event,
    'Auto-Submitted': 'auto-generated',
  };
  const lines = {
    from: plainAddress(server.from),
    to: plainAddress(address),
    subject: `[statecron] ${subject}`,
    messageId: `<${message.id}@${domain}>`,
  };
  for (const text of Object.values({ ...lines, ...headers })) requireOneLine(text);
  const mail = { ...lines, date: new Date(message.createdMs), headers, text: body };
  const transport = await makeTransport(server);
  const timer = setTimeout(() => transport.close(), mailMsMax);
  try {
    await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

async function makeTransport(server: MailServer) {
  // Loaded by the first mail: few nodes send one, and every start of a node would wait for it.
  const { createTransport } = await import('nodemailer');
  const { host, port, user, password } = server;
  return createTransport({
    host,
    port,
    secure: server.isSecure,
    requireTLS: server.needsTls,
    ...(user === null || password === null ? {} : { auth: { user, pass: password } }),
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: silenceMsMax,
    dnsTimeout: connectMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function plainAddress(address: string): string {
  const fault = checkMailAddress(address);
  if (fault !== null) throw new Error(fault);
  return address;
}

/** A line break in a header would begin another one. Long before nodemailer folds it. */
export function requireOneLine(text: string): void {
  if (/[\r\n\0]/.test(text)) throw new Error('a header has a line break in it');
}
