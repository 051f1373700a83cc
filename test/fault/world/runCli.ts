import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What came of one command of the built program. */
export interface CliAnswer {
  /** Null: it was killed for taking too long. */
  readonly exitCode: number | null;
  /** The JSON on stdout, when it succeeded. */
  readonly data: Record<string, unknown> | null;
  /** The code of its fault, e.g. `job_missing`. */
  readonly faultCode: string | null;
  readonly message: string;
}

/** The built program as an operator calls it, with `--json`. */
export type Cli = (args: readonly string[]) => Promise<CliAnswer>;

const timeoutMs = 20_000;

export function cliOf(main: string, url: string, home: string): Cli {
  return cliWith(main, [], { HOME: home, STATECRON_DATABASE_URL: url });
}

/** The same, asking a node's API. */
export function cliToNode(main: string, url: string, tokenFile: string, home: string): Cli {
  return cliWith(main, ['--url', url, '--token-file', tokenFile], { HOME: home });
}

function cliWith(
  main: string,
  target: readonly string[],
  env: Readonly<Record<string, string>>,
): Cli {
  return async (args) => {
    const child = spawn(process.execPath, [main, ...args, '--json', ...target], {
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      // Ctrl-C at the terminal is for the supervisor alone.
      detached: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [exitCode] = (await once(child, 'close')) as [number | null];
    const fault = readFault(stderr);
    return {
      exitCode,
      data: exitCode === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : null,
      faultCode: fault?.code ?? null,
      message: fault?.message ?? stderr.trim(),
    };
  };
}

function readFault(stderr: string): { code: string; message: string } | null {
  for (const line of stderr.split('\n')) {
    if (!line.startsWith('{"error"')) continue;
    return (JSON.parse(line) as { error: { code: string; message: string } }).error;
  }
  return null;
}
