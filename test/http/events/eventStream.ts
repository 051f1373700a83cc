import assert from 'node:assert/strict';
import http from 'node:http';
import {
  type StreamEventData,
  streamEventSchema,
} from '../../../src/http/contract/eventContract.ts';
import { until } from '../../support/until.ts';

export interface SeenEvent {
  readonly type: string;
  /** The position that came with it; null: none did. */
  readonly id: string | null;
  readonly data: StreamEventData;
}

/** A client of a stream of events as simple as one can be, and as strict. */
export interface EventStream {
  readonly status: number;
  readonly seen: SeenEvent[];
  /** Comment lines, heartbeats among them. */
  readonly comments: string[];
  /** What it would bring back as Last-Event-ID. */
  position(): string;
  /** True when the server has ended it, or its connection is gone. */
  isOver(): boolean;
  /** Waits for an event, of those that were seen before, too. */
  event<T extends StreamEventData['type']>(
    type: T,
    is?: (data: Extract<StreamEventData, { type: T }>) => boolean,
  ): Promise<Extract<StreamEventData, { type: T }>>;
  /** The numbers of the history rows that it was told of, in the order of their coming. */
  runIds(): number[];
  runCount(): number;
  pause(): void;
  resume(): void;
  close(): void;
}

export interface StreamRequest {
  readonly token: string;
  readonly query?: string;
  readonly lastEventId?: string;
  readonly method?: string;
  /** It never reads a byte of the body. */
  readonly neverReads?: boolean;
}

/** Opens a stream; resolves when its head is there. */
export async function openStream(url: string, request: StreamRequest): Promise<EventStream> {
  const { query = '', lastEventId, method = 'GET', token } = request;
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...resumed };
    const asked = http.request(`${url}/api/v1/events${query}`, { method, headers, agent: false });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end();
  });
  const parser = new FrameParser();
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  response.on('error', end);
  response.on('close', end);
  if (request.neverReads !== true) {
    response.setEncoding('utf8');
    response.on('data', (text: string) => parser.take(text));
  }
  const { comments, seen } = parser;
  return {
    status: response.statusCode ?? 0,
    seen,
    comments,
    position: () => parser.position,
    isOver: () => isOver,
    event: async (type, is = () => true) => {
      const found = await until(`${type} in ${url}${query}`, () =>
        seen.find(({ data }) => data.type === type && is(data as never)),
      );
      return found.data as never;
    },
    runIds: () => [...parser.runIds],
    runCount: () => parser.runIds.length,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}

/** As the standard has it, for what a server of ours may send. */
class FrameParser {
  readonly seen: SeenEvent[] = [];
  readonly comments: string[] = [];
  readonly runIds: number[] = [];
  position = '';
  #text = '';

  take(text: string): void {
    this.#text += text;
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) return;
      this.#frame(this.#text.slice(0, end).split('\n'));
      this.#text = this.#text.slice(end + 2);
    }
  }

  #frame(lines: readonly string[]): void {
    const fields = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(': ');
      if (line.startsWith(':')) this.comments.push(line);
      else fields.set(line.slice(0, colon), line.slice(colon + 2));
    }
    const id = fields.get('id') ?? null;
    if (id !== null) this.position = id;
    const data = fields.get('data');
    if (data === undefined) return;
    const parsed = streamEventSchema.parse(JSON.parse(data));
    assert.equal(fields.get('event'), parsed.type);
    this.seen.push({ type: parsed.type, id, data: parsed });
    if (parsed.type === 'run.ended') this.runIds.push(parsed.runId);
  }
}
