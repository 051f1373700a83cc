import { runProgram } from '../../src/cli/program.ts';

/** One command line and its whole environment. */
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

/** Answers each command that it is sent, one after the other, until nobody sends any more. */
process.on('message', async ({ args, env }: HostedCommand) => {
  process.env = { ...env };
  const [stdout, stderr] = [catchWrites(process.stdout), catchWrites(process.stderr)];
  const code = await runProgram(args);
  const result: HostedResult = { code, stdout: encode(stdout), stderr: encode(stderr) };
  process.send?.(result);
});

process.on('disconnect', () => process.exit());

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
