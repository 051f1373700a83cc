import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** How a command is run; everything has a bound. */
interface CommandRequest {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Pieces written to standard input one after the other: a text, or a file's content. */
  input?: readonly (string | { file: string })[];
  /** Called with each whole line of standard output and standard error. */
  onLine?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** How a command ended; a command that cannot be started ends with `exitCode` null too. */
interface CommandResult {
  exitCode: number | null;
  /** Standard output, at most the last 256 KiB. */
  stdout: string;
  /** The end of both streams, at most 4 KiB, for error messages. */
  tail: string;
}

const stdoutCharactersMax = 256 * 1024;
const tailCharactersMax = 4 * 1024;

/**
 * Runs a short-lived program to its end and returns its output; only an abort of `signal`
 * throws. At the time-out it is killed. It stays in our process group, so that a Ctrl-C reaches it.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  request.signal?.throwIfAborted();
  const [program = '', ...args] = request.command;
  const child = spawn(program, args, { env: request.env, stdio: 'pipe' });
  const output = collect(child.stdout, child.stderr, request.onLine);
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, request.timeoutMs);
  request.signal?.addEventListener('abort', kill);
  // Nothing that we started may outlive us.
  process.once('exit', kill);
  try {
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => resolve(code));
      child.once('error', (error) => {
        output.add(`${error.message}\n`);
        resolve(null);
      });
    });
    await feed(child.stdin, request.input ?? []);
    const exitCode = await ended;
    request.signal?.throwIfAborted();
    return { exitCode, stdout: output.stdout(), tail: output.tail().trim() };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', kill);
    process.removeListener('exit', kill);
  }
}

async function feed(stdin: Writable, pieces: NonNullable<CommandRequest['input']>): Promise<void> {
  async function* content() {
    for (const piece of pieces) {
      if (typeof piece === 'string') yield piece;
      else yield* createReadStream(piece.file);
    }
  }
  try {
    await pipeline(content(), stdin);
  } catch (error) {
    // A program that ends early closes the pipe; its exit code counts, not the broken pipe.
    if (!brokenPipes.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

const streamEnds = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'];
const brokenPipes: ReadonlySet<string | undefined> = new Set([
  'EPIPE',
  'ECONNRESET',
  ...streamEnds,
]);

function collect(stdout: Readable, stderr: Readable, onLine: ((line: string) => void) | undefined) {
  let out = '';
  let tail = '';
  const add = (text: string) => {
    tail = (tail + text).slice(-tailCharactersMax);
  };
  for (const stream of [stdout, stderr]) {
    let line = '';
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      if (stream === stdout) out = (out + text).slice(-stdoutCharactersMax);
      add(text);
      if (onLine === undefined) return;
      const lines = (line + text).split('\n');
      line = (lines.pop() ?? '').slice(-tailCharactersMax);
      for (const whole of lines) onLine(whole);
    });
  }
  return { add, stdout: () => out, tail: () => tail };
}
