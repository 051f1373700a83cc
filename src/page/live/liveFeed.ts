import { signal } from '@preact/signals';
import { isFrozen } from '../state/clock.ts';
import { type Batch, EventPump, type StreamState } from './eventPump.ts';
import type { WorkerRequest } from './workerRequest.ts';

/** How the event stream is, and since when (ms, by this browser's clock). */
export const stream = signal<{ state: StreamState; sinceMs: number }>({
  ...{ state: 'connecting', sinceMs: Date.now() },
});

type Listener = (batch: Batch) => void;
const listeners = new Set<Listener>();

/** Calls `listener` for each batch; what happens while the page is frozen or hidden is left out. */
export function onBatch(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The address of the API: below the page, wherever a proxy has put it. */
export const apiUrl = new URL('api/v1/', document.baseURI).href;

let send: (request: WorkerRequest) => void = () => undefined;

/** Begins to follow what happens, by one stream for all tabs where the browser can. */
export function startFeed(what: 'join' | 'restart'): void {
  if (!isStarted) connect();
  isStarted = true;
  send({ what, url: apiUrl });
}

/** The reader has logged out. */
export function stopFeed(): void {
  if (isStarted) send({ what: 'leave', url: apiUrl });
}

let isStarted = false;

declare const workerAsset: string;

function connect(): void {
  addEventListener('pagehide', stopFeed);
  // A page that comes back from the browser's cache of pages follows again.
  addEventListener('pageshow', ({ persisted }) => persisted && startFeed('join'));
  const take = ({ data }: MessageEvent<Batch>) => apply(data);
  try {
    const url = workerUrl();
    if (typeof SharedWorker === 'undefined') {
      const worker = new Worker(url);
      worker.onmessage = take;
      send = (request) => worker.postMessage(request);
      return;
    }
    const { port } = new SharedWorker(url, 'statecron');
    port.onmessage = take;
    send = (request) => port.postMessage(request);
  } catch {
    followHere(); // some browsers have no workers in some modes
  }
}

function followHere(): void {
  let pump: EventPump | null = null;
  send = ({ what, url }) => {
    if (what === 'leave' || what === 'restart') pump?.close();
    if (what === 'leave') pump = null;
    else if (what === 'restart' || pump === null) pump = new EventPump(url, apply);
  };
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** The only URL that the page makes a script of: its own worker's. */
function workerUrl(): string {
  const { href } = new URL(workerAsset, document.baseURI);
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return href;
  const policy = trustedTypes.createPolicy('events', { createScriptURL: () => href });
  return policy.createScriptURL(href);
}

function apply(batch: Batch): void {
  const { state, sinceMs } = batch;
  if (state !== stream.value.state) stream.value = { state, sinceMs };
  if (isFrozen.value || document.hidden) return;
  for (const listener of listeners) listener(batch);
}
