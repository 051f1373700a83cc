import type { HeldSlotShown } from '../../store/events/openEventReader.ts';
import type { RunEvent } from '../../store/events/readRunEvents.ts';
import type { EventKind, StreamEventData } from '../contract/eventContract.ts';
import { isoOf, isoOrNull } from '../views/isoOf.ts';

/** An event as it goes to clients: rendered once, however many they are. */
export interface StreamEvent {
  readonly kind: EventKind | 'stream';
  /** Whose business it is; null: everybody's who may see anything. */
  readonly job: string | null;
  readonly group: string | null;
  /** The number of the history row, for the end of a run. */
  readonly runId: number | null;
  readonly bytes: Uint8Array;
}

/** Makes an event of its data. `position`: where a client has come to with it; null: nowhere. */
export function streamEvent(
  data: StreamEventData,
  position: StreamPosition | null = null,
  about: { readonly job: string | null; readonly group: string | null } = nobody,
): StreamEvent {
  return {
    kind: data.type.slice(0, data.type.indexOf('.')) as StreamEvent['kind'],
    ...{ job: about.job, group: about.group },
    runId: data.type === 'run.ended' ? data.runId : null,
    bytes: frameOf(data, position),
  };
}

const nobody = { job: null, group: null };

/** A comment that keeps proxies and clients from giving the connection up, and the position. */
export function heartbeat(position: StreamPosition | null): Uint8Array {
  return encoder.encode(`: beat\n${idLine(position)}\n`);
}

/** A history row as an event. */
export function runEnded(run: RunEvent, position: StreamPosition | null): StreamEvent {
  const { job, group, launchId, revision, nodeName, slotNo, node, sessionId } = run;
  const data: StreamEventData = {
    type: 'run.ended',
    ...{ job, group, launchId, revision, nodeName, slotNo, node, sessionId },
    ...{ trigger: run.trigger, attempt: run.attempt, requestId: run.requestId },
    scheduledFor: isoOf(run.scheduledForMs),
    runId: run.runId,
    result: run.result ?? 'lost',
    isFinal: run.isFinal,
    scheduledUntil: isoOrNull(run.scheduledUntilMs),
    ticks: run.ticks,
    startedAt: isoOrNull(run.startedMs),
    endedAt: isoOf(run.endedMs ?? 0),
    ...{ exitCode: run.exitCode, signal: run.signal, reason: run.reason },
    outputBytes: run.outputBytes,
  };
  return streamEvent(data, position, run);
}

/** What events show of a launch that a slot holds. */
export function launchData(slot: HeldSlotShown) {
  const { scheduledForMs, startedMs: _, state: __, ...rest } = slot;
  return { ...rest, scheduledFor: isoOf(scheduledForMs) };
}

/** JSON has no bare line ends, so that the data is one line. */
function frameOf(data: StreamEventData, position: StreamPosition | null): Uint8Array {
  return encoder.encode(
    `event: ${data.type}\n${idLine(position)}data: ${JSON.stringify(data)}\n\n`,
  );
}

function idLine(position: StreamPosition | null): string {
  return position === null ? '' : `id: ${writePosition(position)}\n`;
}

const encoder = new TextEncoder();

/**
 * How far a client has come, as the `id` of events says it and `Last-Event-ID` brings it back, to
 * whichever node.
 */
export interface StreamPosition {
  /** Sessions that came and went until then were sent; by the database's clock. */
  readonly sessionsMs: number;
  /**
   * Every row of the history up to this number was sent. Rows above it may have been, too, while a
   * lower number was still missing: those come a second time to a client that comes back.
   */
  readonly runId: number;
}

/** Writes a position: both numbers in base 36. */
export function writePosition({ sessionsMs, runId }: StreamPosition): string {
  return `${sessionsMs.toString(36)}.${runId.toString(36)}`;
}

/** Reads a position; null: it is none. */
export function readPosition(text: string): StreamPosition | null {
  // Ten digits of base 36 are a safe integer.
  const [, sessions, run] = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(text) ?? [];
  if (sessions === undefined || run === undefined) return null;
  return { sessionsMs: Number.parseInt(sessions, 36), runId: Number.parseInt(run, 36) };
}
