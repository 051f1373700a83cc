import type { RawRequest } from './askRaw.ts';
import type { ApiDescription, Operation, Schema } from './openApiDocument.ts';
import type { RouterRoute } from './wholeApi.ts';

/** What the paths and bodies of requests may name: things that are there. */
export interface Things {
  readonly job: string;
  readonly run: string;
  readonly revision: string;
  readonly group: string;
  readonly node: string;
  readonly token: string;
  readonly machine: string;
  readonly page: string;
  readonly asset: string;
  readonly target: string;
  /** What is muted: the job. */
  readonly kind: string;
  readonly name: string;
}

/**
 * A request that the route takes, made of what the document says of it: its path filled in with
 * things that are there, what must be there of the query and the body, and `If-Match: *`.
 * @throws when a path names what nobody here knows: `Things` has to have it
 */
export function sampleRequest(
  { method, path }: Pick<RouterRoute, 'method' | 'path'>,
  description: ApiDescription,
  things: Things,
): Pick<RawRequest, 'method' | 'path' | 'headers' | 'body'> {
  const operation = description.operations.find(
    (each) => each.method === method && each.path === path,
  );
  const query = operation === undefined ? '' : queryOf(operation, description);
  const target = `${fillPath(path, things)}${query}`;
  const isSafe = method === 'GET' || method === 'HEAD';
  const condition = isSafe ? {} : { 'if-match': '*' };
  if (operation === undefined || operation.body === null) {
    return { method, path: target, headers: condition };
  }
  const body = JSON.stringify(sampleOf(operation.body, description, ''));
  return {
    ...{ method, path: target, body },
    headers: { ...condition, 'content-type': 'application/json' },
  };
}

export function fillPath(path: string, things: Things): string {
  return path.replaceAll(/\{([A-Za-z]+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(things, name)) throw new Error(`say what {${name}} of ${path} may be`);
    return encodeURIComponent(things[name as keyof Things]);
  });
}

function queryOf(operation: Operation, description: ApiDescription): string {
  const query = new URLSearchParams();
  for (const { in: place, name, required, schema = {} } of operation.parameters) {
    if (place !== 'query' || required !== true) continue;
    query.append(name, String(sampleOf(schema, description, name)));
  }
  return query.size === 0 ? '' : `?${query}`;
}

let made = 0;

/** Values for words whose schema says too little of what they may be. */
const wellKnown: Readonly<Record<string, () => unknown>> = {
  cron: () => '0 0 1 1 *',
  command: () => 'true',
  address: () => 'ops@example.com',
  jobs: () => ({}),
  from: () => '2020-01-01T00:00:00Z',
  to: () => '2020-01-02T00:00:00Z',
  until: () => '1h',
  // Nothing that is there has it.
  name: () => `sample-${++made}`,
};

/** The least that the schema takes. */
function sampleOf(given: Schema, description: ApiDescription, name: string): unknown {
  const schema = description.resolve(given);
  const known = Object.hasOwn(wellKnown, name) ? wellKnown[name] : undefined;
  if (known !== undefined) return known();
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return sampleOf(first, description, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      // A file of jobs may have none of its words, but not when it is to say anything.
      const names = Object.hasOwn(properties, 'jobs') ? [...required, 'jobs'] : required;
      const values = names.map((each) => {
        return [each, sampleOf(properties[each] ?? {}, description, each)] as const;
      });
      return Object.fromEntries(values);
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () =>
        sampleOf(schema.items ?? {}, description, name),
      );
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1));
  }
}
