import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Scope } from '../../support/createDatabase.ts';

export interface MailGot {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text as they came. */
  readonly raw: string;
}

export interface MailSink {
  readonly port: number;
  readonly got: readonly MailGot[];
}

/** A real SMTP server on loopback that keeps what it is given. `refuse`: it takes nothing. */
export async function startMailSink(
  scope: Scope,
  options: { refuse?: () => boolean; onMail?: () => void } = {},
): Promise<MailSink> {
  const got: MailGot[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (options.refuse?.() === true) {
          callback(Object.assign(new Error('try later'), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const raw = Buffer.concat(chunks).toString('utf8');
        got.push({ from, to: rcptTo.map(({ address }) => address), raw });
        options.onMail?.();
        callback();
      });
    },
  });
  server.on('error', () => undefined); // a client that was killed resets its connection
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  scope.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, got };
}
