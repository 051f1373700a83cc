import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Role } from '../../domain/access/role.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { Channel } from '../../store/connection/channel.ts';
import type { DatabaseOperator } from '../views/apiOperator.ts';
import type { Calculate } from '../work/calculator.ts';
import type { Admission } from './authenticator.ts';
import type { Client } from './client.ts';

/** Who sends the request, by its token or as a proxy says. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** The only groups whose jobs it sees; null: every job. */
  readonly groups: readonly string[] | null;
}

/** What a handler finds in its context: `c.var.caller`, `c.var.operate(…)`. */
export interface ApiVariables {
  readonly caller: Caller;
  /** Where the request comes from. */
  readonly client: Client;
  readonly requestId: string;
  /**
   * The request id that a run, a backfill and the like has: the same for each repeat
   * under one Idempotency-Key, so that nothing is requested twice, whatever became of an answer.
   */
  readonly creationId: string;
  /**
   * Runs `work` on a channel of the API's small pool, in the caller's name. No work
   * may wait for what happens in the cluster (`waitForRequest`): the pool has few channels.
   * @throws OperatorError `busy` when no channel is free in time.
   */
  readonly operate: <T>(work: (operator: DatabaseOperator) => Promise<T>) => Promise<T>;
  /** The same for what is no function of the operator. */
  readonly withChannel: <T>(work: (channel: Channel) => Promise<T>) => Promise<T>;
  /**
   * Takes one of the caller's places for answers that go on; call what it returns at the end.
   * @throws RetryLater `too_many_requests` (429).
   */
  readonly holdStream: () => () => void;
  /**
   * Works out, beside the event loop, what may take as long as the request wants it to.
   * @throws OperatorError `too_complex` (422), RetryLater.
   */
  readonly calculate: Calculate;
  /** Set by a handler that changed nothing, as was requested: nothing is kept for repeats. */
  readonly isDry?: boolean;
  /** What let the request in, for answers that go on. */
  readonly admission: () => Admission;
}

export interface ApiEnv {
  Variables: ApiVariables;
}

export type Api = OpenAPIHono<ApiEnv>;

/** What a route needs of its caller, read by the guard that `createApi` puts before every route. */
export interface Needs {
  readonly 'x-role': Role | 'anyone';
  /** Absent: the answer to a POST with an Idempotency-Key is kept for its repeats. */
  readonly 'x-answer'?: 'secret' | 'look';
  readonly security: Record<string, string[]>[];
}

/**
 * Spread into every `createRoute({ … })`; a route without it is refused at start. `anyone` is for
 * what is shown without a token: liveness, and the page of the documentation. `secret`: the answer
 * holds a secret, so that it is not kept for repeats of the request. `look`: it changes nothing
 * though it is a POST, so that nothing is kept of it, and a repeat looks anew.
 */
export function needs(role: Role | 'anyone', answer?: 'secret' | 'look'): Needs {
  return {
    'x-role': role,
    ...(answer === undefined ? {} : { 'x-answer': answer }),
    security: role === 'anyone' ? [] : [{ bearer: [] }, { login: [] }],
  };
}

/** Whether jobs of the group are the caller's business; for lists. */
export function maySeeGroup(caller: Caller, group: string): boolean {
  return caller.groups?.includes(group) ?? true;
}

/**
 * Refuses what belongs to another group. A job that is read answers as if it did not exist, so that
 * names do not leak; to put one into a group that is not the caller's is forbidden openly, since
 * the caller named the group.
 * @throws OperatorError `job_missing` (404) or `group_forbidden` (403).
 */
export function requireGroup(
  caller: Caller,
  group: string,
  job: { readonly name: string } | null = null,
): void {
  if (maySeeGroup(caller, group)) return;
  if (job !== null) {
    throw new OperatorError({
      code: 'job_missing',
      message: `There is no job ${JSON.stringify(job.name)}.`,
      hint: 'See the jobs that there are: statecron job list',
      missing: job.name,
    });
  }
  throw new OperatorError({
    code: 'group_forbidden',
    message: `${JSON.stringify(group)} is none of your groups of jobs.`,
    hint: `Yours are: ${(caller.groups ?? []).join(', ')}.`,
  });
}
