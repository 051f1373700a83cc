import { askRaw } from './askRaw.ts';

/** A schema, as far as requests are made of it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema?: Schema;
}

export interface Operation {
  /** As in a request: GET. */
  readonly method: string;
  /** `/api/v1/jobs/{job}` */
  readonly path: string;
  readonly role: string;
  readonly parameters: readonly Parameter[];
  /** The schema of a body in JSON; null: it takes none. */
  readonly body: Schema | null;
  readonly isBodyRequired: boolean;
  /** The codes of the problems that only some routes answer with; undefined: it does not say. */
  readonly problems: readonly string[] | undefined;
}

export interface ApiDescription {
  readonly operations: readonly Operation[];
  /** The schema that a reference stands for. */
  resolve(schema: Schema): Schema;
}

interface Document {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
  readonly components: { readonly schemas?: Record<string, Schema> };
}

interface DescribedOperation {
  readonly 'x-role': string;
  readonly 'x-problems'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema?: Schema }>;
  };
}

/** Reads what a server says of itself: `/openapi.json`. */
export async function readApiDescription(origin: string): Promise<ApiDescription> {
  const { json } = await askRaw(origin, { method: 'GET', path: '/openapi.json' });
  const { paths, components } = json as Document;
  const { schemas = {} } = components;
  return {
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => operationOf(method, path, each)),
    ),
    resolve: (schema) => {
      if (schema.$ref === undefined) return schema;
      const found = schemas[schema.$ref.split('/').at(-1) ?? ''];
      if (found === undefined) throw new Error(`there is no schema ${schema.$ref}`);
      return found;
    },
  };
}

function operationOf(method: string, path: string, each: DescribedOperation): Operation {
  const { parameters = [], requestBody } = each;
  return {
    method: method.toUpperCase(),
    path,
    role: each['x-role'],
    parameters,
    body: requestBody?.content['application/json']?.schema ?? null,
    isBodyRequired: requestBody?.required === true,
    problems: each['x-problems'],
  };
}
