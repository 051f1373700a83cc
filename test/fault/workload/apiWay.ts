import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../world/random.ts';
import type { OperationAnswer, OperationRequest, OperationWay } from './operationRequest.ts';
import { type ApiAnswer, type ApiRequest, type ApiTarget, requestApi } from './requestApi.ts';

export interface ApiWayParts {
  /** The node that is requested first. */
  readonly first: ApiTarget;
  /** Where else to send it when its answer is lost, drawn anew each time; null: nowhere. */
  readonly another: () => ApiTarget | null;
  readonly token: string;
  readonly random: Random;
  /** Told of answers that no node may give. */
  readonly trouble: (text: string) => void;
}

/** How often one operation is requested at most, and how long a client waits between. */
const triesMax = 3;
const pauseMs = 700;

/**
 * Asks a node's API by plain requests, with no client of ours between. Half of the answers that
 * are lost are requested again, of another node: what has an idempotency key must then be done
 * once. What was lost and is refused afterwards nobody knows.
 */
export function apiWay({ first, another, token, random, trouble }: ApiWayParts): OperationWay {
  const exchange = async (target: ApiTarget, request: ApiRequest): Promise<ApiAnswer> => {
    const answer = await requestApi(target, token, request);
    if (!isExpected(answer)) {
      const { method, path } = request;
      trouble(`${target.name} answered ${method} ${path}: ${contentOf(answer).message}`);
    }
    return answer;
  };
  return {
    via: 'API',
    whom: first.name,
    send: async (operation) => {
      const isTagged = operation.kind === 'edit' && random.next() < 0.5;
      const read = isTagged ? await exchange(first, readOf(operation)) : null;
      if (read !== null && read.status !== 200) return { ...contentOf(read), outcome: 'fail' };
      const request = requestOf(operation, read?.tag ?? '*');
      const isRepeated = request.key !== null && random.next() < 0.5;
      let answer = await exchange(first, request);
      let mayBeDone = false;
      for (let tries = 1; isRepeated && isOpen(answer) && tries < triesMax; tries += 1) {
        mayBeDone ||= !isRefused(answer);
        await sleep(pauseMs);
        answer = await exchange(another() ?? first, request);
      }
      return outcomeOf(answer, mayBeDone);
    },
  };
}

/** Missing, in another state, changed since, or a database that is away: the workload's lot. */
const faultStatuses = new Set([0, 404, 409, 412, 503, 504]);

function isExpected(answer: ApiAnswer): boolean {
  return isDone(answer) || faultStatuses.has(answer.status);
}

function isDone({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Nobody can say yet what became of it. */
function isOpen({ status, code }: ApiAnswer): boolean {
  return status === 0 || status >= 500 || code === 'idempotency_held';
}

/** What is requested anew may be done yet, by who held the key before. */
const undecided = new Set(['idempotency_held', 'idempotency_taken_over']);

/** Whether the answer says that nothing was done, and nothing will be. */
function isRefused({ status, wasSent, code }: ApiAnswer): boolean {
  if (status === 0) return !wasSent;
  // 503: the database was away, or busy, before anything could be done.
  return (status < 500 && !undecided.has(code)) || status === 503;
}

function outcomeOf(answer: ApiAnswer, mayBeDone: boolean): OperationAnswer {
  if (isDone(answer)) return { ...contentOf(answer), outcome: 'ok' };
  return { ...contentOf(answer), outcome: isRefused(answer) && !mayBeDone ? 'fail' : 'info' };
}

function contentOf({ status, body, code, detail }: ApiAnswer): Omit<OperationAnswer, 'outcome'> {
  const { revision, requestId, executing } = body;
  return {
    isAnswered: status !== 0,
    revision: typeof revision === 'number' ? revision : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    executing: typeof executing === 'number' ? executing : null,
    message: `${status === 0 ? 'no answer' : status} ${code}: ${detail}`,
  };
}

function readOf({ job }: OperationRequest): ApiRequest {
  return { method: 'GET', path: pathOf(job), key: null, tag: null, body: null };
}

function requestOf({ kind, job, launchId, ...words }: OperationRequest, tag: string): ApiRequest {
  const given = Object.entries(words).filter(([, value]) => value !== null);
  const body = Object.fromEntries(given);
  const post = { method: 'POST', key: randomUUID(), tag: null, body: null } as const;
  const once = { key: null, tag: null, body: null };
  switch (kind) {
    case 'add':
      return { ...post, path: '/api/v1/jobs', body: { name: job, ...body } };
    case 'edit':
      return { ...once, method: 'PATCH', path: pathOf(job), tag, body };
    case 'remove':
      return { ...once, method: 'DELETE', path: pathOf(job) };
    case 'stop':
      return { ...post, path: `/api/v1/runs/${encodeURIComponent(launchId ?? '')}/stop` };
    default:
      return { ...post, path: `${pathOf(job)}/${kind}` };
  }
}

function pathOf(job: string): string {
  return `/api/v1/jobs/${encodeURIComponent(job)}`;
}
