import { constants } from 'node:os';
import type { LateResult } from '../../domain/run/lateResult.ts';

/**
 * A spooled result as its file has it: one line of JSON with the number of bytes that follow, so
 * that a torn file is detected, then the output. `caretaker.pl` writes the same, with the signal's
 * number.
 */
export function encodeResult({ launchId, execution, endedMs }: LateResult): Uint8Array {
  const { output, endedBootMs: _, ...fields } = execution;
  const head = { format, launchId, endedMs, ...fields, keptBytes: output.byteLength };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), output]);
}

/** The result in a file's bytes, or what is wrong with them. */
export function decodeResult(bytes: Buffer): LateResult | { readonly damage: string } {
  const end = bytes.indexOf(0x0a);
  const head = end === -1 ? null : parseHead(bytes.subarray(0, end).toString('utf8'));
  if (head === null) return { damage: 'its first line is not that of a result' };
  if (head.format !== format) return { damage: `it has the format ${String(head.format)}` };
  const output = new Uint8Array(bytes.subarray(end + 1));
  const { launchId, endedMs, result, exitCode, signal, reason, outputBytes, keptBytes } = head;
  if (keptBytes !== output.byteLength) {
    return { damage: `it has ${output.byteLength} of ${String(keptBytes)} bytes of output` };
  }
  const isSound =
    typeof launchId === 'string' &&
    isNumberOrNull(endedMs) &&
    results.includes(result as string) &&
    isNumberOrNull(exitCode) &&
    (isTextOrNull(signal) || signalNames.has(signal as number)) &&
    isTextOrNull(reason) &&
    Number.isSafeInteger(outputBytes);
  if (!isSound) return { damage: 'a field of its first line is wrong' };
  const signalName = signalNames.get(signal as number) ?? signal;
  const fields = { result, exitCode, signal: signalName, reason, outputBytes };
  return { launchId, endedMs, execution: { ...fields, output } } as LateResult;
}

/** The name of a launch's file: `-` stands for the colon of its id. */
export function fileNameOf(launchId: string): string {
  if (!/^[0-9A-Za-z]+:\d+$/.test(launchId)) throw new Error(`${launchId} is no launch id`);
  return `${launchId.replace(':', '-')}.result`;
}

const format = 1;
const signalNames = new Map(Object.entries(constants.signals).map(([name, no]) => [no, name]));
const results = ['succeeded', 'failed', 'timed_out', 'stopped', 'spawn_failed'];

function parseHead(line: string): Record<string, unknown> | null {
  try {
    const head: unknown = JSON.parse(line);
    return typeof head === 'object' && head !== null ? (head as Record<string, unknown>) : null;
  } catch {
    return null; // no JSON: the caller reports it
  }
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || Number.isSafeInteger(value);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
