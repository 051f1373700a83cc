import type { EventReader } from '../../store/events/openEventReader.ts';
import type { Admission } from '../guard/authenticator.ts';
import { catchUp, reset } from './catchUp.ts';
import { type ClientEnd, EventClient } from './eventClient.ts';
import { EventFeed, type FeedParts } from './eventFeed.ts';
import type { EventFilter } from './eventFilter.ts';
import type { EventKind } from './eventSchemas.ts';
import { heartbeat, type StreamEvent, streamEvent } from './streamEvent.ts';
import { readPosition } from './streamPosition.ts';
import type { Listener } from './tellListeners.ts';

export interface HubParts extends FeedParts {
  /** The name of the node that serves. */
  readonly node: string;
  /** Clients at once; one more is told to come back later. */
  readonly clientsMax?: number;
  /** How often it is looked whether each may still be told. */
  readonly checkMs?: number;
}

interface ClientRequest {
  readonly filter: EventFilter;
  /** What `Last-Event-ID` said; null: from now on. */
  readonly lastEventId: string | null;
  readonly admission: Admission;
  /** Ends the connection, whatever waits in it. */
  readonly destroy: () => void;
  /** Told when nothing more is sent. */
  readonly onEnd: () => void;
}

export interface HubCounts {
  readonly clients: number;
  readonly ended: Readonly<Record<ClientEnd, number>>;
}

const clientsMaxDefault = 256;
const heartbeatMs = 15_000;
/** A token that is revoked, or a browser that is logged out, hears no more for longer than that. */
const checkMsDefault = 3_000;
/** Then it has to show its token again; with up to a fifth more, so that not all come at once. */
const clientMsMax = 5 * 60_000;
/** What `EventSource` waits before it comes back. */
const comeBackMs = 2_000;

/** The clients of a node's event stream: how many there are, and how each comes to its events. */
export class EventHub {
  readonly #parts: HubParts;
  readonly #feed: EventFeed;
  readonly #clients = new Map<EventClient, Member>();
  readonly #ended: Record<ClientEnd, number> = { left: 0, cut: 0, closed: 0 };
  #heart: NodeJS.Timeout | null = null;
  #checking: NodeJS.Timeout | null = null;
  /** Reads the past for those who come late, one after the other; null while there are none. */
  #past: EventReader | null = null;
  #isClosed = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#feed = new EventFeed(parts);
  }

  counts(): HubCounts {
    return { clients: this.#clients.size, ended: this.#ended };
  }

  /** Opens a stream for a client; null: there are too many already, or the node ends. */
  open(request: ClientRequest): ReadableStream<Uint8Array> | null {
    const { checkMs = checkMsDefault, clientsMax = clientsMaxDefault } = this.#parts;
    if (this.#isClosed || this.#clients.size >= clientsMax) return null;
    const client = new EventClient(request.destroy, (why) => {
      request.onEnd();
      this.#leave(client, why);
    });
    const ageMsMax = clientMsMax * (1 + Math.random() / 5);
    const end = setTimeout(() => client.close(), ageMsMax);
    end.unref();
    const { admission, filter } = request;
    this.#clients.set(client, { admission, end, kinds: filter.kinds, listener: null });
    this.#heart ??= setInterval(() => this.#beat(), heartbeatMs).unref();
    this.#checking ??= setTimeout(() => this.#check(checkMs), checkMs).unref();
    void this.#serve(client, request);
    return client.stream;
  }

  /** Ends all streams; each client may go on at another node. */
  close(): void {
    this.#isClosed = true;
    for (const client of [...this.#clients.keys()]) client.close();
  }

  async #serve(client: EventClient, request: ClientRequest): Promise<void> {
    const { filter, lastEventId } = request;
    const begun = this.#feed.hold(filter.kinds);
    const position = lastEventId === null ? null : readPosition(lastEventId, performance.now());
    const isResumed = position !== null;
    const opened = { type: 'stream.opened', node: this.#parts.node, isResumed } as const;
    client.send(encoder.encode(`retry: ${comeBackMs}\n\n`));
    client.send(streamEvent(opened).bytes);
    if (lastEventId !== null && !isResumed) {
      client.send(reset('unreadable', 'The position was not written by a node of this version.'));
    }
    if (this.#feed.isStalled) client.send(streamEvent({ type: 'stream.stalled' }).bytes);
    await begun;
    for (;;) {
      try {
        if (!client.isOpen) return;
        if (position === null) return this.#join(client, filter, new Set(), []);
        this.#past ??= this.#parts.openReader();
        const latecomer = { client, filter, position };
        await catchUp(this.#feed, this.#past, latecomer, (told, meanwhile) =>
          this.#join(client, filter, told, meanwhile),
        );
        return;
      } catch (error) {
        if (!client.isOpen) return;
        this.#parts.trouble('the past could not be read for a client', error);
        await new Promise((resolve) => setTimeout(resolve, comeBackMs).unref());
      }
    }
  }

  /** From here on it is told what the feed tells. */
  #join(
    client: EventClient,
    filter: EventFilter,
    told: Set<number>,
    meanwhile: readonly StreamEvent[],
  ): void {
    const member = this.#clients.get(client);
    if (member === undefined) return;
    const listener: Listener = {
      kinds: filter.kinds,
      see: (events) => {
        for (const event of events) {
          if (event.runId !== null && told.delete(event.runId)) continue;
          if (filter.passes(event)) client.send(event.bytes);
        }
      },
    };
    listener.see(meanwhile);
    client.send(streamEvent({ type: 'stream.live' }, this.#feed.position).bytes);
    member.listener = listener;
    this.#feed.add(listener);
  }

  /** Those that are at the feed's place hear of it, so that they come back to where nothing was. */
  #beat(): void {
    const atPlace = heartbeat(this.#feed.position);
    const onTheWay = heartbeat(null);
    for (const [client, { listener }] of this.#clients) {
      client.send(listener === null ? onTheWay : atPlace);
    }
  }

  /** One question after the other, since they share few connections with all requests. */
  async #check(restMs: number): Promise<void> {
    const answers = new Map<string, boolean>();
    for (const [client, { admission }] of this.#clients) {
      const { digest } = admission;
      // While the database is away nobody can say; the stream ends by its age.
      const isInForce = answers.get(digest) ?? (await admission.isInForce().catch(() => true));
      answers.set(digest, isInForce);
      if (!isInForce) client.close();
    }
    if (this.#clients.size === 0) this.#checking = null;
    else this.#checking = setTimeout(() => this.#check(restMs), restMs).unref();
  }

  #leave(client: EventClient, why: ClientEnd): void {
    const member = this.#clients.get(client);
    if (member === undefined) return;
    this.#clients.delete(client);
    this.#ended[why] += 1;
    clearTimeout(member.end);
    if (member.listener !== null) this.#feed.remove(member.listener);
    this.#feed.letGo(member.kinds);
    if (this.#clients.size > 0) return;
    if (this.#heart !== null) clearInterval(this.#heart);
    this.#heart = null;
    const failed = (error: unknown) => this.#parts.trouble('a reader did not close', error);
    this.#past?.close().catch(failed);
    this.#past = null;
  }
}

interface Member {
  readonly end: NodeJS.Timeout;
  readonly admission: Admission;
  readonly kinds: ReadonlySet<EventKind>;
  /** Null while it is on its way to the feed's place. */
  listener: Listener | null;
}

const encoder = new TextEncoder();
