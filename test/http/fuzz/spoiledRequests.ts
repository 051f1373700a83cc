import fc from 'fast-check';
import type { ApiDescription } from '../world/openApiDocument.ts';
import type { FuzzRequest } from './fuzzRequest.ts';
import { encode, isHeaderText, type RequestParts, requestOf, validParts } from './validRequests.ts';

/** What no field wants, or wants in another place. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, -1, 0, 1e308, -0.5, 2 ** 53, '', ' ', '\0', '..', [], {}),
  fc.constantFrom(
    '\ud800',
    '\u202e\u001b]52;c;x\u0007',
    "' OR 1=1 --",
    '%00',
    '__proto__',
    '{{7*7}}',
  ),
  fc.constantFrom('x'.repeat(5_000), '☃'.repeat(200), '*,-/'.repeat(300), '9'.repeat(400)),
  fc.constantFrom(new Array(1_500).fill('x'), [[[[[]]]]], { a: { b: { c: {} } } }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
);

const oddText = oddValue.map((value) =>
  typeof value === 'string' ? value : JSON.stringify(value),
);

/** Makes of a request that the document describes one that it nearly describes. */
export function spoiledRequests(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 6, arbitrary: spoiledParts(description).map(requestOf) },
    { weight: 3, arbitrary: spoiledTexts(description) },
  );
}

function spoiledParts(description: ApiDescription): fc.Arbitrary<RequestParts> {
  return validParts(description).chain((parts) =>
    fc.oneof(
      spoiledBody(parts),
      oddText.map((text) => ({ ...parts, marks: mapValues(parts.marks, () => text) })),
      fc
        .tuple(fc.constantFrom('limit', 'after', 'sort', 'job', 'x', 'a[b]', '__proto__'), oddText)
        .map((pair) => ({ ...parts, query: [...parts.query, pair] })),
      fc.constant({ ...parts, query: [...parts.query, ...parts.query] }),
      fc
        .constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE')
        .map((method) => ({ ...parts, method })),
      oddHeader.map(([name, value]) => ({
        ...parts,
        headers: { ...parts.headers, [name]: value },
      })),
    ),
  );
}

/** A field is lost, added, or something else; or the body is something else altogether. */
function spoiledBody(parts: RequestParts): fc.Arbitrary<RequestParts> {
  const { body } = parts;
  const other = oddValue.map((value) => ({ ...parts, body: value }));
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return other;
  const fields = Object.keys(body);
  const with_ = (name: string, value: unknown) => ({ ...parts, body: { ...body, [name]: value } });
  const choices = [other, oddValue.map((value) => with_('uid', value))];
  if (fields.length > 0) {
    const field = fc.constantFrom(...fields);
    choices.push(field.map((name) => ({ ...parts, body: without(body, name) })));
    choices.push(fc.tuple(field, oddValue).map(([name, value]) => with_(name, value)));
    choices.push(fc.tuple(field, oddValue).map(([name, value]) => with_(name, value)));
  }
  return fc.oneof(...choices);
}

const oddHeader = fc.tuple(
  fc.constantFrom(
    ...['if-match', 'idempotency-key', 'last-event-id', 'accept', 'range', 'content-encoding'],
    ...['content-type', 'x-http-method-override', 'x-forwarded-for', 'origin', 'cookie', 'host'],
    ...['if-none-match', 'if-modified-since', 'accept-encoding', 'sec-fetch-site', 'te'],
  ),
  fc.oneof(
    oddText.filter((text) => isHeaderText(text) && text.length < 6_000).map((text) => text.trim()),
    fc.constantFrom('*', '"1-1", "2-1"', 'bytes=0-', 'gzip', 'text/plain', 'null', 'evil.test'),
    fc.constantFrom('statecron=x', 'application/json; charset=utf-7', 'application/yaml', '0'),
  ),
);

/** The same below the level of JSON: texts that are cut, doubled, or in another coding. */
function spoiledTexts(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(validParts(description).map(requestOf), fc.nat({ max: 200 }), spoilsOfText)
    .map(([request, at, spoil]) => {
      const body = request.body ?? '';
      return { ...request, body: spoil(body, Math.min(at, body.length)) };
    });
}

const spoilsOfText = fc.constantFrom<((body: string, at: number) => string)[]>(
  (body, at) => body.slice(0, at),
  (body, at) => body.slice(at),
  (body) => `${body}${body}`,
  (body) => `\ufeff${body}`,
  (body, at) => `${body.slice(0, at)}\0${body.slice(at)}`,
  (body) => body.replace('{', '{"__proto__":{"x":1},'),
  (body) => body.replace('{', '{"name":"twice",'),
  (body) => `{"a":${'['.repeat(3_000)}${body}`,
  (body) => body.replaceAll('"', "'"),
  (body) => `# yaml\njobs:\n  a: ${body}\n`,
  () => 'jobs:\n  a: {cron: "@daily", command: "true"}\n  b: {cron: "x"}\n',
  () =>
    'group: g1\njobs:\n  a: {cron: "@daily", command: "true"}\n  e: {cron: "@daily", command: x}\n',
  () => '',
);

/** Requests that have nothing to do with the document but perhaps their path. */
export const garbageRequests: fc.Arbitrary<FuzzRequest> = fc
  .record({
    sender: fc.constantFrom('admin' as const, 'viewer' as const, 'nobody' as const, 'bad' as const),
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'PURGE', 'PROPFIND'),
    path: fc.array(
      fc.oneof(
        fc.constantFrom(
          'api',
          'v1',
          'jobs',
          'runs',
          'a',
          'r1',
          'log',
          'docs',
          '..',
          '.',
          '',
          '%2f',
        ),
        fc.constantFrom('%00', '%ff', '%', '%c0%ae', '\\', ';', 'openapi.json', 'live', 'events'),
        fc.string({ unit: 'binary', maxLength: 12 }).map(encode),
      ),
      { maxLength: 7 },
    ),
    isApi: fc.boolean(),
    query: fc.string({ unit: 'binary', maxLength: 20 }).map(encode),
    header: oddHeader,
    body: fc.option(fc.string({ unit: 'binary', maxLength: 300 })),
  })
  .map(({ sender, method, path, isApi, query, header, body }) => ({
    ...{ sender, method, body },
    target: `${isApi ? '/api/v1' : ''}/${path.join('/')}${query === '' ? '' : `?${query}`}`,
    headers: { [header[0]]: header[1] },
  }));

function mapValues<T>(values: Readonly<Record<string, T>>, make: (value: T) => T) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}

function without(body: object, name: string): object {
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== name));
}
