import { signal } from '@preact/signals';
import type { ApiContract } from '../../http/contract/apiContract.ts';
import type { liveContract } from '../../http/contract/machineContract.ts';
import type { loginContract } from '../../http/contract/nodeContract.ts';
import type { AnswerOf, NamesIn, PartOf } from '../../http/contract/routeContract.ts';
import { apiUrl } from '../live/liveFeed.ts';
import { noteNodeTime } from '../state/clock.ts';
import { ApiProblem, lostAnswer, nodeAway } from './apiProblem.ts';

type Routes = ApiContract & typeof loginContract & typeof liveContract;
type RouteKey = keyof Routes;
export type Answer<Key extends RouteKey> = AnswerOf<Routes[Key]>;

/** What a call says; what a route does not take, it cannot be given. */
export type CallInput<Key extends RouteKey> = {
  readonly path?: { readonly [Name in NamesIn<Key>]: string | number };
  readonly query?: Loose<PartOf<Routes[Key], 'query', 'input'>>;
  readonly body?: PartOf<Routes[Key], 'body', 'input'>;
  /** A body that is no JSON: a file of jobs. */
  readonly text?: string;
  /** The tag of what was read: it is only changed while it is still that. */
  readonly ifMatch?: string;
  /** It is only added while there is none. */
  readonly ifNoneMatch?: '*';
  readonly signal?: AbortSignal;
};

/** In a URL, undefined is left out. */
type Loose<Query> = { readonly [Name in keyof Query]?: Query[Name] | undefined };

interface Tagged<T> {
  readonly body: T;
  /** Of what was read, for `ifMatch`. */
  readonly tag: string | null;
}

/** Set when an answer says that the login is over. */
export const isLoginOver = signal(false);

/** When a node answered last (ms, by this browser's clock). */
export const answeredAtMs = signal<number | null>(null);

/** The timeout of a GET (ms): a frozen node accepts connections and never answers. */
export const answerMs = 30_000;

/** Calls a route of the API. Throws ApiProblem. */
export async function callApi<Key extends RouteKey>(
  key: Key,
  input: CallInput<Key> = {},
): Promise<Answer<Key>> {
  return (await readTagged(key, input)).body;
}

/** The same with the answer's tag. */
export async function readTagged<Key extends RouteKey>(
  key: Key,
  input: CallInput<Key> = {},
): Promise<Tagged<Answer<Key>>> {
  const late = new AbortController();
  const isRead = key.startsWith('GET ');
  const timer = isRead ? setTimeout(() => late.abort(nodeAway()), answerMs) : undefined;
  const signal = AbortSignal.any([late.signal, ...(input.signal ? [input.signal] : [])]);
  try {
    const response = await send(key, { ...input, signal });
    const text = await response.text();
    const body = (text === '' ? null : JSON.parse(text)) as Answer<Key>;
    return { body, tag: response.headers.get('etag') };
  } catch (error) {
    if (error instanceof ApiProblem) throw error;
    throw lostAnswer(error, input.signal); // it broke off, or is a proxy's page
  } finally {
    clearTimeout(timer);
  }
}

/** The same as it comes, for what is no JSON. Throws ApiProblem for what is no good answer. */
export async function send<Key extends RouteKey>(
  key: Key,
  input: CallInput<Key> = {},
): Promise<Response> {
  const [method = 'GET', path = ''] = key.split(' ');
  const { body, ifMatch, ifNoneMatch, query, signal: aborted, text } = input;
  const url = `${apiUrl}${pathOf(path, input.path)}${queryOf(query)}`;
  const isChange = method !== 'GET';
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (text !== undefined) headers['content-type'] = 'application/yaml';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (ifNoneMatch !== undefined) headers['if-none-match'] = ifNoneMatch;
  // A change that is sent again, as no answer came, is made once.
  if (isChange && !isOpen.has(key)) headers['idempotency-key'] = randomKey();
  const request: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) request.body = JSON.stringify(body);
  if (text !== undefined) request.body = text;
  if (aborted !== undefined) request.signal = aborted;
  const response = await fetchPatiently(url, request, isChange ? changePausesMs : []);
  noteNodeTime(response.headers.get('date'));
  if (response.ok) {
    answeredAtMs.value = Date.now();
    return response;
  }
  throw await problemOf(key, response);
}

/** Routes that are no change, or that no repeat may be made of. */
const isOpen: ReadonlySet<string> = new Set(['POST /login', 'POST /logout']);
const changePausesMs = [300, 1_500];

async function fetchPatiently(
  url: string,
  request: RequestInit,
  pausesMs: readonly number[],
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetch(url, request);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined) throw nodeAway();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function problemOf(key: string, response: Response): Promise<ApiProblem> {
  const body = await response.json().catch(() => ({})); // a proxy's page is no JSON
  if (response.status === 401 && !isOpen.has(key)) isLoginOver.value = true;
  return new ApiProblem(response.status, body, response.headers.get('retry-after'));
}

function pathOf(path: string, names: Readonly<Record<string, string | number>> = {}): string {
  return path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const each of values) if (each !== undefined) parameters.append(name, `${each}`);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** `crypto.randomUUID` is for secure contexts alone; a node on a LAN speaks plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
