import type { Admission } from '../authentication/authenticator.ts';
import { catchUp, reset } from './catchUp.ts';
import type { ClusterWatch } from './clusterWatch.ts';
import { type ClientEnd, EventClient } from './eventClient.ts';
import { EventFeed, type FeedParts } from './eventFeed.ts';
import type { EventFilter } from './eventFilter.ts';
import {
  heartbeat,
  readPosition,
  type StreamEvent,
  type StreamPosition,
  streamEvent,
} from './streamEvent.ts';

export interface HubParts extends FeedParts {
  /** The name of the node that serves. */
  readonly node: string;
  /** Events of the serving node's actors, while somebody wants them; null: there are none. */
  readonly watchActors: ((see: (events: readonly StreamEvent[]) => void) => () => void) | null;
  /** Clients at once; one more has to retry later. */
  readonly clientsMax?: number;
  /** How often it is checked whether each may still listen. */
  readonly checkMs?: number;
}

interface ClientRequest {
  readonly filter: EventFilter;
  /** What `Last-Event-ID` said; null: from now on. */
  readonly lastEventId: string | null;
  readonly admission: Admission;
  /** Ends the connection, whatever waits in it. */
  readonly destroy: () => void;
  /** Called when nothing more is sent. */
  readonly onEnd: () => void;
}

export interface HubCounts {
  readonly clients: number;
  readonly ended: Readonly<Record<ClientEnd, number>>;
}

interface Member {
  readonly client: EventClient;
  readonly filter: EventFilter;
  readonly admission: Admission;
  readonly end: NodeJS.Timeout;
  /** What happens while it is sent the last of the past; null: nothing is kept for it. */
  pending: StreamEvent[] | null;
  /** Null until it is sent all events at once. */
  watch: ClusterWatch | null;
  /** The row of the history up to which it needs none. */
  settled: number;
}

const clientsMaxDefault = 256;
const heartbeatMs = 15_000;
/** A token that is revoked, or a browser that is logged out, is sent nothing after that. */
const checkMsDefault = 3_000;
/** Then it has to show its token again; with up to a fifth more, so that not all come at once. */
const clientMsMax = 5 * 60_000;
/** What `EventSource` waits before it comes back. */
const retryAfterMs = 2_000;
/** What may happen while a client is sent the last of the past, before it has to come back. */
const pendingMax = 2_000;

/** The clients of a node's event stream: how many there are, and how each comes to its events. */
export class EventHub {
  readonly #parts: HubParts;
  readonly #feed: EventFeed;
  readonly #members = new Set<Member>();
  readonly #ended: Record<ClientEnd, number> = { left: 0, cut: 0, closed: 0 };
  #heart: NodeJS.Timeout | null = null;
  #checking: NodeJS.Timeout | null = null;
  #stopActors: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#feed = new EventFeed(parts, (events) => this.#send(events));
  }

  counts(): HubCounts {
    return { clients: this.#members.size, ended: this.#ended };
  }

  /** Opens a stream for a client; null: there are too many already, or the node ends. */
  open(request: ClientRequest): ReadableStream<Uint8Array> | null {
    const { checkMs = checkMsDefault, clientsMax = clientsMaxDefault } = this.#parts;
    if (this.#isClosed || this.#members.size >= clientsMax) return null;
    const { admission, filter } = request;
    const client = new EventClient(request.destroy, (why) => {
      request.onEnd();
      this.#leave(member, why);
    });
    const end = setTimeout(() => client.close(), clientMsMax * (1 + Math.random() / 5)).unref();
    const state = { pending: null, watch: null, settled: 0 };
    const member: Member = { client, filter, admission, end, ...state };
    this.#members.add(member);
    this.#heart ??= setInterval(() => this.#beat(), heartbeatMs).unref();
    this.#checking ??= setTimeout(() => this.#check(checkMs), checkMs).unref();
    void this.#serve(member, request.lastEventId);
    return client.stream;
  }

  /** Ends all streams; each client may go on at another node. */
  close(): void {
    this.#isClosed = true;
    for (const { client } of [...this.#members]) client.close();
  }

  async #serve(member: Member, lastEventId: string | null): Promise<void> {
    const { client, filter } = member;
    const position = lastEventId === null ? null : readPosition(lastEventId);
    const isResumed = position !== null;
    const opened = { type: 'stream.opened', node: this.#parts.node, isResumed } as const;
    client.send(encoder.encode(`retry: ${retryAfterMs}\n\n`), streamEvent(opened).bytes);
    if (lastEventId !== null && !isResumed) {
      client.send(reset('unreadable', 'The position was not written by a node of this version.'));
    }
    if (this.#feed.isStalled) client.send(streamEvent({ type: 'stream.stalled' }).bytes);
    const watch = await this.#feed.hold();
    try {
      if (position !== null) {
        await catchUp(watch, { client, filter, position }, (settled) => {
          member.pending = [];
          member.settled = settled;
        });
      }
    } catch (error) {
      if (!client.isOpen) return;
      this.#parts.trouble('the past could not be read for a client', error);
      client.close(); // it comes back with the position that it has come to
    }
    if (!client.isOpen) return;
    this.#deliver(member, member.pending ?? []);
    member.pending = null;
    member.watch = watch;
    client.send(streamEvent({ type: 'stream.live' }, positionOf(member)).bytes);
    this.#tapActors();
  }

  #send(events: readonly StreamEvent[]): void {
    for (const member of this.#members) {
      if (member.watch !== null) this.#deliver(member, events);
      else if (member.pending !== null) {
        member.pending.push(...events);
        if (member.pending.length > pendingMax) member.client.cut();
      }
    }
  }

  #deliver({ client, filter, settled }: Member, events: readonly StreamEvent[]): void {
    const wanted = events.filter(
      (event) => (event.runId === null || event.runId > settled) && filter.passes(event),
    );
    client.send(...wanted.map(({ bytes }) => bytes));
  }

  /** The actors' messages are gathered only while somebody wants them. */
  #tapActors(): void {
    const isWanted = [...this.#members].some(
      ({ filter, watch }) => watch !== null && filter.kinds.has('actor'),
    );
    if (isWanted)
      this.#stopActors ??= this.#parts.watchActors?.((events) => this.#send(events)) ?? null;
    else {
      this.#stopActors?.();
      this.#stopActors = null;
    }
  }

  /** Clients that are live get the position, so that they come back to where nothing was. */
  #beat(): void {
    for (const member of this.#members) member.client.send(heartbeat(positionOf(member)));
  }

  /** One lookup after the other, since they share few connections with all requests. */
  async #check(restMs: number): Promise<void> {
    const answers = new Map<string, boolean>();
    for (const { admission, client } of this.#members) {
      const { digest } = admission;
      // While the database is away nobody can say; the stream ends by its age.
      const isInForce = answers.get(digest) ?? (await admission.isInForce().catch(() => true));
      answers.set(digest, isInForce);
      if (!isInForce) client.close();
    }
    if (this.#members.size === 0) this.#checking = null;
    else this.#checking = setTimeout(() => this.#check(restMs), restMs).unref();
  }

  #leave(member: Member, why: ClientEnd): void {
    if (!this.#members.delete(member)) return;
    this.#ended[why] += 1;
    clearTimeout(member.end);
    this.#feed.letGo();
    this.#tapActors();
    if (this.#members.size > 0 || this.#heart === null) return;
    clearInterval(this.#heart);
    this.#heart = null;
  }
}

/** Where a client is, also when this node is behind the one before; null: on its way. */
function positionOf({ settled, watch }: Member): StreamPosition | null {
  if (watch === null) return null;
  const { runId, sessionsMs } = watch.position;
  return { sessionsMs, runId: Math.max(runId, settled) };
}

const encoder = new TextEncoder();
