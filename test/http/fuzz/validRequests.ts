import fc from 'fast-check';
import type { ApiDescription, Operation, Parameter } from '../world/openApiDocument.ts';
import { type FuzzRequest, type Sender, senders } from './fuzzRequest.ts';
import { schemaValue } from './schemaValue.ts';

/** A request whose parts are not put together yet, for those who spoil it. */
export interface RequestParts {
  readonly sender: Sender;
  readonly method: string;
  /** With its marks: `/api/v1/jobs/{job}`. */
  readonly path: string;
  readonly marks: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: unknown;
}

/** Requests of every operation that the document describes, as it describes them. */
export function validParts(description: ApiDescription): fc.Arbitrary<RequestParts> {
  return fc.oneof(
    ...description.operations.map((each) => {
      const weight = weights[`${each.method} ${each.path}`] ?? 1;
      return { weight, arbitrary: partsOf(each, description) };
    }),
  );
}

/** Without jobs and runs most of the others have nothing to be about. */
const weights: Readonly<Record<string, number>> = {
  'POST /api/v1/jobs': 12,
  'POST /api/v1/jobs/{job}/run': 4,
  'POST /api/v1/apply': 3,
};

function partsOf(operation: Operation, description: ApiDescription): fc.Arbitrary<RequestParts> {
  const { body, isBodyRequired, method, parameters, path } = operation;
  const of = (place: Parameter['in']) => parameters.filter((each) => each.in === place);
  const bodies = body === null ? fc.constant(undefined) : schemaValue(body, description, '');
  const isAlways = body === null || isBodyRequired;
  return fc.record({
    sender: senderValue,
    method: fc.constant(method),
    path: fc.constant(path),
    marks: fc.record(
      Object.fromEntries(of('path').map((each) => [each.name, textOf(each, description)])),
    ),
    query: queryValue(of('query'), description),
    headers: headersValue(of('header'), description),
    body: isAlways ? bodies : fc.option(bodies, { nil: undefined, freq: 3 }),
  });
}

/** Mostly those who may do it. */
const senderValue: fc.Arbitrary<Sender> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Sender>('admin') },
  { weight: 4, arbitrary: fc.constantFrom(...senders) },
);

function textOf(parameter: Parameter, description: ApiDescription): fc.Arbitrary<string> {
  const { in: place, name, schema: given = {} } = parameter;
  const schema = description.resolve(given);
  // What may stand several times stands once: to double it is for those who spoil it.
  const one = schema.type === 'array' ? (schema.items ?? {}) : schema;
  return schemaValue(one, description, name, place === 'query').map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
}

function queryValue(
  parameters: readonly Parameter[],
  description: ApiDescription,
): RequestPartsOf<'query'> {
  const pairs = parameters.map((each) =>
    textOf(each, description).map((text) => [each.name, text] as const),
  );
  const needed = pairs.filter((_, place) => parameters[place]?.required === true);
  const optional = pairs.filter((_, place) => parameters[place]?.required !== true);
  const most = Math.min(3, optional.length);
  return fc
    .subarray(optional, { maxLength: most })
    .chain((chosen) => fc.tuple(...needed, ...chosen));
}

type RequestPartsOf<K extends keyof RequestParts> = fc.Arbitrary<RequestParts[K]>;

function headersValue(
  parameters: readonly Parameter[],
  description: ApiDescription,
): RequestPartsOf<'headers'> {
  const values = parameters.map((each) => [each.name, textOf(each, description)] as const);
  // With a condition three times of four: without it a change is refused.
  const kept = values.map(([name, value]) => [name, fc.option(value, { nil: '', freq: 4 })]);
  return fc.record(Object.fromEntries(kept) as Record<string, fc.Arbitrary<string>>).map((all) => {
    const sent = Object.entries(all).filter(([, value]) => value !== '' && isHeaderText(value));
    return Object.fromEntries(sent);
  });
}

/** What a client library would send as the value of a header. */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The request as it is sent. */
export function requestOf(parts: RequestParts): FuzzRequest {
  const { body, headers, marks, method, path, query, sender } = parts;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(marks[name] ?? ''));
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const type = { 'content-type': 'application/json' };
  return {
    ...{ sender, method },
    target: search === '' ? filled : `${filled}?${search}`,
    headers: body === undefined ? headers : { ...type, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** Half of a character of two has no encoding of its own. */
export function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString('utf8'));
}
