import { STATUS_CODES } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import {
  type ExitCode,
  exitCodes,
  FieldError,
  type FieldFault,
  OperatorError,
} from '../../domain/errors/errors.ts';
import { databaseFault } from '../../store/connection/databaseFault.ts';

/** An error as RFC 9457 has it, with what the same fault has on the command line. */
interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** A stable code, e.g. `job_missing`. */
  readonly code: string;
  readonly hint: string;
  /** What a command that meets the fault ends with. */
  readonly exitCode: ExitCode;
  readonly errors?: readonly FieldFault[];
  /** The name of what is not there, as the client gave it. */
  readonly missing?: string;
}

/** So many fields are named at most. */
const errorsMax = 50;

/**
 * Any error as a problem. What is no operator's fault shows nothing of itself: its text may hold
 * what is not for the client.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof HTTPException) return problemOfStatus(error);
  const fault = error instanceof OperatorError ? error : databaseFault(error);
  if (fault === null) return internalProblem;
  const { code, exitCode, hint, message, missing } = fault;
  const errors = fault instanceof FieldError ? fault.errors.slice(0, errorsMax) : [];
  return {
    ...titled(statusOf(code, exitCode)),
    detail: message,
    ...{ code, hint, exitCode },
    ...(errors.length === 0 ? {} : { errors }),
    ...(missing === undefined ? {} : { missing }),
  };
}

/** Whether an error is a programmer's business, so that it belongs in the log. */
export function isInternal(problem: Problem): boolean {
  return problem.code === internalProblem.code;
}

function titled(status: number) {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status } as const;
}

/** Of the framework: bodies that are no JSON, and media types that no route takes. */
function problemOfStatus({ message, status }: HTTPException): Problem {
  const detail = message === '' ? (STATUS_CODES[status] ?? 'Error') : message;
  const hint = 'Correct it; /docs/reference describes what the route takes.';
  const code = statusCodes[status] ?? 'refused';
  return { ...titled(status), detail, code, hint, exitCode: exitCodes.usage };
}

const statusCodes: Record<number, string> = { 400: 'malformed', 415: 'media_type_unknown' };

const internalProblem: Problem = {
  ...titled(500),
  detail: 'Something is broken in this node.',
  code: 'internal',
  hint: 'The log of the node says more, under the id of this request.',
  exitCode: exitCodes.failed,
};

function statusOf(code: string, exitCode: ExitCode): number {
  return statuses.get(code) ?? (missing.test(code) ? 404 : statusOfExit[exitCode]);
}

const missing = /^(job|run|revision|group|job_group|limit|token|machine|node|target)_missing$/;

/** Of the faults whose exit code says too little. */
const codesByStatus: Record<number, string> = {
  400: 'malformed body_unwanted address_wrong idempotency_key_wrong',
  401: 'unauthenticated',
  403: 'role_forbidden group_forbidden origin_forbidden person_forbidden',
  404: 'path_missing',
  405: 'method_wrong',
  408: 'body_too_slow',
  409:
    'job_executing name_taken node_live node_not_reaped node_name_taken idempotency_held ' +
    'idempotency_taken_over',
  412: 'revision_changed',
  413: 'body_too_large',
  415: 'media_type_unknown',
  421: 'host_unknown',
  422: 'idempotency_key_reused chain_cycle upstream_missing given_twice',
  428: 'if_match_missing',
  429: 'too_many_failures too_many_requests',
  503: 'busy',
  504: 'outcome_unknown',
};

const statuses = new Map(
  Object.entries(codesByStatus).flatMap(([status, codes]) =>
    codes.split(' ').map((code) => [code, Number(status)] as const),
  ),
);

const statusOfExit: Record<ExitCode, number> = {
  [exitCodes.ok]: 500,
  [exitCodes.failed]: 409,
  [exitCodes.usage]: 422,
  [exitCodes.databaseAway]: 503,
  [exitCodes.tryAgain]: 503,
  [exitCodes.configuration]: 503,
};
