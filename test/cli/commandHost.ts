import { createInterface } from 'node:readline';
import { runProgram } from '../../src/cli/program.ts';

/** One command line and its environment. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What became of it, each stream as its bytes in base64. */
export interface HostedResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const own = { ...process.env };
const writeOut = process.stdout.write.bind(process.stdout);

/** Reads a command a line and answers its result a line, one after the other, until its end. */
for await (const line of createInterface({ input: process.stdin })) {
  const { args, env } = JSON.parse(line) as HostedCommand;
  process.env = { ...own, ...env };
  const [stdout, stderr] = [catchWrites(process.stdout), catchWrites(process.stderr)];
  const code = await runProgram(args);
  const result: HostedResult = { code, stdout: encode(stdout), stderr: encode(stderr) };
  writeOut(`${JSON.stringify(result)}\n`);
}

function catchWrites(stream: NodeJS.WriteStream): Buffer[] {
  const chunks: Buffer[] = [];
  stream.write = ((chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk as string));
    return true;
  }) as typeof stream.write;
  return chunks;
}

function encode(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('base64');
}
