import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProcessRecord } from '../../checkers/history.ts';

/** A process with the token of its command, from which the revision is told. */
export type LedgerProcess = Omit<ProcessRecord, 'revision'> & { readonly token: string };

type Growing = { -readonly [K in keyof LedgerProcess]: LedgerProcess[K] };

/**
 * Ledger A: every START line of every job's file with what followed it. Lines of a later instant
 * than `untilMs` are left out, so that all ledgers end at one.
 */
export async function readLedgers(folder: string, untilMs: number): Promise<LedgerProcess[]> {
  const found: Growing[] = [];
  for (const name of await readdir(folder)) {
    await readLedger(path.join(folder, name), untilMs, found);
  }
  return found.sort((a, b) => a.startedMs - b.startedMs);
}

async function readLedger(file: string, untilMs: number, found: Growing[]): Promise<void> {
  // By launch id: its processes in this file, of which there ought to be one.
  const byLaunch = new Map<string, Growing[]>();
  const lines = createInterface({ input: createReadStream(file, 'utf8') });
  for await (const line of lines) {
    const [kind = '', launchId = '', pid = '', at = '', ...rest] = line.split('\t');
    const atMs = Number(at);
    if (!(atMs <= untilMs)) continue;
    const known = byLaunch.get(launchId) ?? [];
    if (kind === 'S') {
      const started = startOf(launchId, Number(pid), atMs, rest);
      byLaunch.set(launchId, [...known, started]);
      found.push(started);
      continue;
    }
    const own = known.findLast(({ processId }) => processId === Number(pid)) ?? known.at(-1);
    if (own === undefined) throw new Error(`${file}: a line without a START: ${line}`);
    own.lastSeenMs = Math.max(own.lastSeenMs, atMs);
    if (kind !== 'E') continue;
    own.endedMs = atMs;
    own.exitCode = Number(rest[0]);
  }
}

function startOf(launchId: string, processId: number, atMs: number, rest: string[]): Growing {
  const [, job = '', scheduledFor = '', attempt = '', node = '', token = ''] = rest;
  return {
    job,
    launchId,
    sessionId: launchId.split(':', 1)[0] ?? '',
    node,
    scheduledForDatabaseMs: Date.parse(scheduledFor),
    attempt: Number(attempt),
    processId,
    startedMs: atMs,
    endedMs: null,
    exitCode: null,
    lastSeenMs: atMs,
    token,
  };
}
