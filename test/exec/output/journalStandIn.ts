import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Something that takes datagrams where journald would, and reads them as it does. */
export interface JournalStandIn {
  /** The fields of each entry, in their order. */
  readonly entries: Readonly<Record<string, string>>[];
  readonly process: ChildProcess;
  close(): Promise<void>;
}

const script = `
  socket my $socket, 1, 2, 0 or die $!;
  bind $socket, pack 'Sa*', 1, $ARGV[0] or die $!;
  $| = 1;
  print "ready\\n";
  while (defined recv $socket, my $entry, 1 << 20, 0) {
    print unpack('H*', $entry), "\\n";
    select undef, undef, undef, $ARGV[1] / 1000 if $ARGV[1];
  }
`;

/** @param pauseMs after each entry */
export async function startJournal(path: string, pauseMs = 0): Promise<JournalStandIn> {
  const child = spawn('perl', ['-e', script, path, `${pauseMs}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  const entries: Record<string, string>[] = [];
  lines.on('line', (line) => entries.push(fieldsIn(Buffer.from(line, 'hex'))));
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { entries, process: child, close };
}

/** The native protocol: `NAME=value` of a line, or name, newline, 64 bits of length, value. */
function fieldsIn(entry: Buffer): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < entry.length; ) {
    const end = entry.indexOf('\n', at);
    const head = entry.subarray(at, end).toString();
    const [name = '', ...value] = head.split('=');
    if (value.length > 0) {
      fields[name] = value.join('=');
      at = end + 1;
      continue;
    }
    const length = Number(entry.readBigUInt64LE(end + 1));
    fields[name] = entry.subarray(end + 9, end + 9 + length).toString();
    if (entry[end + 9 + length] !== 0x0a) throw new Error(`no newline behind ${name}`);
    at = end + 10 + length;
  }
  return fields;
}
