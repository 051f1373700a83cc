import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { runMissing } from '../../store/runs/showRun.ts';
import type { ApiContract } from '../contract/apiContract.ts';
import type { Frozen, NamesIn, PartOf } from '../contract/routeContract.ts';

/** A request to a node's API. */
export interface NodeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1/`, each name in it encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** The tag of what was read: it is only changed while it is still that. */
  readonly ifMatch?: string;
  /** `*`: it is only made while there is none. */
  readonly ifNoneMatch?: string;
  /** It only looks, though it is a POST. */
  readonly isLook?: boolean;
  /** Called with what comes of a good answer, as it comes. */
  readonly onBytes?: (chunk: Buffer) => void;
  /** The command that shows the outcome when the client cannot know it. */
  readonly look?: string;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

type Query<Route> = Either<PartOf<Route, 'query', 'input'>, PartOf<Route, 'query', 'output'>>;

/** A value of a URL may be given as it is read: a number, a boolean. */
type Either<In, Out> = {
  [Name in keyof In]: In[Name] | (Name extends keyof Out ? Out[Name] : never);
};

/** What a route is given: what its path names, its query, and the fields of its body. */
export type CallInput<Key extends keyof ApiContract> = {
  readonly [Name in NamesIn<Key>]: string;
} & Frozen<Query<ApiContract[Key]> & PartOf<ApiContract[Key], 'body', 'input'>>;

/** What a call has besides what the contract says of its route. */
export type CallOptions = Omit<NodeRequest, 'method' | 'path' | 'query' | 'body'>;

/**
 * The request of a call.
 * @throws OperatorError `name_unspeakable`; `run_missing` for what is no name of any run.
 */
export function requestOf<Key extends keyof ApiContract>(
  key: Key,
  input: CallInput<Key>,
  options: CallOptions = {},
): NodeRequest {
  const [method, path = ''] = key.split(' ') as [NodeRequest['method'], string];
  const rest = { ...input } as Record<string, unknown>;
  const filled = path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = `${rest[name]}`;
    delete rest[name];
    return name === 'run' ? runPart(value) : pathPart(value);
  });
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const said = hasBody ? { body: rest } : { query: rest as NonNullable<NodeRequest['query']> };
  return { method, path: filled, ...said, ...options };
}

/** A name as a part of a path; every URL takes some names for a way up or nothing. */
function pathPart(name: string): string {
  if (name !== '' && name !== '.' && name !== '..') return encodeURIComponent(name);
  throw new OperatorError({
    code: 'name_unspeakable',
    message: `There is no URL for what has the name ${JSON.stringify(name)}.`,
    hint: 'Use the database itself: --database-url',
    exitCode: exitCodes.usage,
  });
}

function runPart(id: string): string {
  if (!/^[0-9A-Za-z._:-]{1,64}$/.test(id) || id === '.' || id === '..') throw runMissing(id);
  return encodeURIComponent(id);
}
