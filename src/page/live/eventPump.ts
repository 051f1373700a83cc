import type { StreamEventData } from '../../http/contract/eventContract.ts';

/** What happened since the batch before, and how the stream is. */
export interface Batch {
  readonly state: StreamState;
  /** When the state began (ms, by this browser's clock). */
  readonly sinceMs: number;
  readonly events: readonly StreamEventData[];
  /** Events that were too many: what they were about is to be read again. */
  readonly leftOut: number;
}

/** `away`: the node; `stalled`: its database; `refused`: the login is over. */
export type StreamState = 'connecting' | 'live' | 'away' | 'stalled' | 'refused';

/** Four times a second at most, so many events at most. */
const batchMs = 250;
const eventsMax = 400;
const retryMs = 2_000;

const types = [
  ...['run.started', 'run.ended', 'slot.changed'],
  ...['session.joined', 'session.draining', 'session.ended'],
  ...['session.cordoned', 'session.uncordoned'],
  ...['stream.live', 'stream.stalled', 'stream.reset'],
];

/** Reads the event stream of a node, and connects again for as long as it takes. */
export class EventPump {
  readonly #url: string;
  readonly #send: (batch: Batch) => void;
  #source: EventSource | null = null;
  #position = '';
  #state: StreamState = 'connecting';
  #sinceMs = Date.now();
  #events: StreamEventData[] = [];
  #leftOut = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param url of the API, with its slash at the end */
  constructor(url: string, send: (batch: Batch) => void) {
    this.#url = url;
    this.#send = send;
    this.#open();
  }

  /** How it is now, for a page that comes later. */
  get present(): Batch {
    return { state: this.#state, sinceMs: this.#sinceMs, events: [], leftOut: 0 };
  }

  close(): void {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
  }

  #open(): void {
    const from = this.#position === '' ? '' : `?lastEventId=${encodeURIComponent(this.#position)}`;
    const source = new EventSource(`${this.#url}events${from}`);
    this.#source = source;
    for (const type of types) source.addEventListener(type, (event) => this.#take(event));
    source.onerror = () => {
      this.#become('away');
      // The browser connects again by itself unless the node refused.
      if (source.readyState === EventSource.CLOSED) void this.#reopen();
    };
  }

  async #reopen(): Promise<void> {
    this.#source?.close();
    // An EventSource does not say why it was refused.
    const status = await fetch(`${this.#url}caller`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (this.#source === null) return;
    if (status === 401) {
      this.#become('refused');
      return;
    }
    this.#retry = setTimeout(() => this.#open(), retryMs);
  }

  #take(message: MessageEvent<string>): void {
    if (message.lastEventId !== '') this.#position = message.lastEventId;
    const event = JSON.parse(message.data) as StreamEventData;
    if (event.type === 'stream.live') this.#become('live');
    else if (event.type === 'stream.stalled') this.#become('stalled');
    else this.#add(event);
  }

  #add(event: StreamEventData): void {
    if (this.#events.length < eventsMax) this.#events.push(event);
    else this.#leftOut += 1;
    this.#timer ??= setTimeout(() => this.#flush(), batchMs);
  }

  #become(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#sinceMs = Date.now();
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send({ ...this.present, events: this.#events, leftOut: this.#leftOut });
    this.#events = [];
    this.#leftOut = 0;
  }
}
