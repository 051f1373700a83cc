import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { type Reason, reasons } from '../../domain/reasons/reasons.ts';
import { markName, onFenceName } from '../process/launchTag.ts';
import type { RunRequest } from '../request/runRequest.ts';
import { fileNameOf } from '../result/resultFile.ts';
import type { ChildPlan } from '../spawn/spawner.ts';

/** What of the node's environment a job gets to see. All else, secrets above all, stays here. */
export const inheritedNames = ['PATH', 'HOME', 'LOGNAME', 'USER', 'SHELL', 'LANG'] as const;

/** Those of them that describe the user that it runs as. */
const ownersNames: ReadonlySet<string> = new Set(['HOME', 'LOGNAME', 'USER', 'SHELL']);

/** MAX_ARG_STRLEN of Linux without the NUL: one argument or variable longer than that is E2BIG. */
const stringBytesMax = 131_071;

/**
 * What bash is to be started with, or the reason why it cannot be started.
 * @param nodeEnv the node's environment; only the allow-listed names of it are used
 */
export function planChild(
  request: RunRequest,
  nodeEnv: Record<string, string | undefined>,
): ChildPlan | { refusal: Reason } {
  const { ownership } = request;
  const isOther = ownership !== null && ownership.user !== null;
  const home = nodeEnv.HOME ?? homedir();
  // Only the child can look up where another user's home is.
  const ownCwd = isOther ? '' : home;
  const cwd = request.cwd === null ? ownCwd : resolve(home, request.cwd);
  const environment = new Map<string, string>();
  for (const name of inheritedNames) {
    const value = nodeEnv[name];
    if (value !== undefined && !(isOther && ownersNames.has(name))) environment.set(name, value);
  }
  for (const [name, value] of Object.entries(request.env)) environment.set(name, value);
  // Last, so that no job can take the mark of another launch or none.
  environment.set('STATECRON_JOB', request.jobName);
  environment.set(markName, request.launchId);
  environment.set('STATECRON_SCHEDULED_FOR', new Date(request.scheduledForMs).toISOString());
  environment.set('STATECRON_ATTEMPT', String(request.attempt));
  environment.set('STATECRON_NODE', request.nodeName);
  environment.delete(onFenceName);
  if (request.care !== null) environment.set(onFenceName, 'finish');
  const refusal = refusalOf(request.command, cwd, environment);
  if (refusal !== null) return { refusal };
  return {
    launchId: request.launchId,
    caretaker: caretakerArguments(request),
    args: bashArguments(request.command),
    env: [...environment].map(([name, value]) => `${name}=${value}`),
    cwd,
    isHome: request.cwd === null,
    ownership,
    stdin: request.stdin,
  };
}

/** As the head of `caretaker.pl` has them; the launcher adds where bash is. */
function caretakerArguments(request: RunRequest): string[] | null {
  const { care, launchId, timeoutMs, graceMs, outputBytesMax, leftovers } = request;
  if (care === null) return null;
  const { spoolFolder, clockOffsetMs } = care;
  const fileName = spoolFolder === null ? '' : fileNameOf(launchId);
  const bounds = [timeoutMs ?? '', graceMs, outputBytesMax, leftovers, clockOffsetMs ?? ''];
  const secrets = (request.secretNames ?? []).join(',');
  return [spoolFolder ?? '', launchId, fileName, ...bounds, secrets].map(String);
}

/** `-c COMMAND`; bash puts together the pieces of one that is too long for a single argument. */
function bashArguments(command: string): string[] {
  if (Buffer.byteLength(command) <= stringBytesMax) return ['-c', command];
  const join = 'printf -v __statecron %s "$@"; set --; eval "unset __statecron; $__statecron"';
  return ['-c', join, 'bash', ...piecesOf(command)];
}

/** Pieces of at most 30,000 UTF-16 units, hence 90,000 bytes, never between two surrogates. */
function piecesOf(command: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < command.length; ) {
    let end = Math.min(at + 30_000, command.length);
    const last = command.charCodeAt(end - 1);
    if (end < command.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    pieces.push(command.slice(at, end));
    at = end;
  }
  return pieces;
}

function refusalOf(command: string, cwd: string, environment: Map<string, string>): Reason | null {
  if (command.includes('\0')) return reasons.hasNul('The command');
  if (cwd.includes('\0')) return reasons.hasNul('The working directory');
  for (const [name, value] of environment) {
    if (name === '' || /[=\0]/.test(name)) return reasons.badVariable(name);
    if (value.includes('\0')) return reasons.hasNul(`The environment variable ${name}`);
  }
  return null;
}
