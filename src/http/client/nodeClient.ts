import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeUnknown } from '../../domain/errors/errors.ts';
import type { Answer, ApiContract } from '../contract/apiContract.ts';
import {
  faultOfAnswer,
  isForeign,
  isOfEncryption,
  isPassing,
  nodeAway,
  noteRepeated,
  notJson,
} from './nodeFaults.ts';
import { type CallInput, type CallOptions, type NodeRequest, requestOf } from './requestOf.ts';
import { type NodeAddress, type NodeAnswer, type SentRequest, sendRequest } from './sendRequest.ts';

interface JsonAnswer<T> {
  readonly body: T;
  /** Of what was read, for `ifMatch`. */
  readonly tag: string | null;
}

/** A node that is started again, or a failover. */
const pausesDefaultMs = [100, 400, 1_500, 4_000] as const;

/**
 * Speaks to one node's API over a few kept connections, and retries while the node does not
 * answer. All tries of a change have one idempotency key: it is made once, and each is answered
 * what the first would have been.
 */
export class NodeClient {
  readonly #address: NodeAddress;
  readonly #agent: http.Agent;
  readonly #pausesMs: readonly number[];

  /** @param pausesMs between the tries of one request */
  constructor(address: NodeAddress, pausesMs: readonly number[] = pausesDefaultMs) {
    this.#address = address;
    this.#pausesMs = pausesMs;
    const { authority: ca, url } = address;
    const options = { keepAlive: true, maxSockets: connectionsMax };
    this.#agent =
      url.protocol === 'https:'
        ? new https.Agent({ ...options, ...(ca === null ? {} : { ca }) })
        : new http.Agent(options);
  }

  /** Calls a route of the contract, and resolves to what it answers. Throws as `json` does. */
  async call<Key extends keyof ApiContract>(
    key: Key,
    input: CallInput<Key>,
    options?: CallOptions,
  ): Promise<Answer<Key>> {
    return (await this.read(key, input, options)).body;
  }

  /** The same with the answer's tag, for a change on the condition that nobody made one since. */
  read<Key extends keyof ApiContract>(
    key: Key,
    input: CallInput<Key>,
    options?: CallOptions,
  ): Promise<JsonAnswer<Answer<Key>>> {
    return this.json(requestOf(key, input, options));
  }

  /**
   * Sends a request, and resolves to the answer's JSON.
   * @throws OperatorError: what the API answered, `api_away` (69), `outcome_unknown` (75).
   */
  async json<T>(request: NodeRequest): Promise<JsonAnswer<T>> {
    const { bytes, headers } = await this.bytes(request);
    try {
      const body = bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8'));
      return { body: body as T, tag: headers.etag ?? null };
    } catch (cause) {
      throw notJson(this.#address, cause);
    }
  }

  /** The same for an answer that is no JSON. */
  async bytes(request: NodeRequest): Promise<NodeAnswer> {
    const { isLook = request.method === 'GET', look } = request;
    const sent = this.#sent(request, isLook ? {} : { 'idempotency-key': randomUUID() });
    let isRepeated = false;
    for (let tries = 0; ; tries += 1) {
      const outcome = await sendRequest(sent);
      const pauseMs = this.#pausesMs[tries];
      if (outcome.kind === 'answered') {
        const fault = faultOfAnswer(outcome.answer, this.#address);
        if (fault === null) return outcome.answer;
        if (isRepeated) noteRepeated(fault);
        if (pauseMs === undefined && fault.code === 'idempotency_held') {
          throw outcomeUnknown('node', fault, look);
        }
        if (pauseMs === undefined || !isPassing(fault)) throw fault;
        isRepeated ||= fault.code === 'outcome_unknown';
        await sleep(restOf(outcome.answer));
      } else {
        const { error, wasSent } = outcome;
        isRepeated ||= wasSent && !isLook;
        if (pauseMs === undefined || isOfEncryption(error) || isForeign(error)) {
          throw isRepeated ? outcomeUnknown('node', error, look) : nodeAway(this.#address, error);
        }
      }
      await sleep(pauseMs);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #sent(request: NodeRequest, headers: Readonly<Record<string, string>>): SentRequest {
    const { method, path, query = {}, body, ifMatch, ifNoneMatch } = request;
    const { onBytes = () => undefined } = request;
    const url = new URL(`api/v1/${path}`, this.#address.url);
    for (const [name, value] of Object.entries(query)) {
      const values = Array.isArray(value) ? value : [value];
      for (const each of values) if (each !== undefined) url.searchParams.append(name, `${each}`);
    }
    const { token } = this.#address;
    return {
      ...{ method, url, onBytes, agent: this.#agent },
      body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
      headers: {
        accept: 'application/json, application/problem+json, */*;q=0.1',
        'user-agent': 'statecron',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
        ...headers,
      },
    };
  }
}

/** A client that sends too much learns from 429 when to retry, and nothing was done. */
function restOf({ headers, status }: NodeAnswer): number {
  const seconds = Number(headers['retry-after'] ?? 1);
  return status === 429 && seconds >= 0 ? Math.min(seconds, restSecondsMax) * 1_000 : 0;
}

const restSecondsMax = 10;
const connectionsMax = 4;

/** The items of a list, read page by page, at most `itemsMax`. */
export async function* itemsOf<Item>(
  itemsMax: number,
  pageMax: number,
  read: (page: { after: string | undefined; limit: number }) => Promise<{
    readonly items: readonly Item[];
    readonly next: string | null;
  }>,
): AsyncGenerator<Item> {
  let after: string | undefined;
  for (let left = itemsMax; left > 0; ) {
    const { items, next } = await read({ after, limit: Math.min(left, pageMax) });
    yield* items;
    if (next === null) return;
    left -= items.length;
    after = next;
  }
}
