/** A schema of the document, as far as a page shows it. */
interface SchemaShown {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: SchemaShown;
  readonly anyOf?: readonly SchemaShown[];
  readonly oneOf?: readonly SchemaShown[];
  readonly allOf?: readonly SchemaShown[];
  readonly properties?: Readonly<Record<string, SchemaShown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaShown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const depthMax = 4;

/** What a schema takes, in short; `given` is one of the document. */
export function schemaText(given: object, depth = 0): string {
  const schema = given as SchemaShown;
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '');
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const many = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (depth > depthMax) return '…';
  if (many !== undefined) return many.map((each) => schemaText(each, depth + 1)).join(' | ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any']);
  return types.map((type) => typeText(type, schema, depth)).join(' | ');
}

function typeText(type: string, schema: SchemaShown, depth: number): string {
  if (type === 'array') return `list of ${schemaText(schema.items ?? {}, depth + 1)}`;
  if (type === 'object') return objectText(schema, depth);
  const { format, minimum, maximum } = schema;
  const bounds = minimum === undefined && maximum === undefined ? '' : boundsText(minimum, maximum);
  return `${format === undefined ? type : `${type} (${format})`}${bounds}`;
}

function objectText({ properties, additionalProperties }: SchemaShown, depth: number): string {
  const names = Object.entries(properties ?? {}).map(
    ([name, each]) => `${name}: ${schemaText(each, depth + 1)}`,
  );
  if (names.length > 0) return `{ ${names.join(', ')} }`;
  if (typeof additionalProperties !== 'object') return 'object';
  return `{ name: ${schemaText(additionalProperties, depth + 1)} }`;
}

function boundsText(minimum: number | undefined, maximum: number | undefined): string {
  return ` ${minimum ?? '…'} to ${maximum ?? '…'}`;
}

interface SchemaRow {
  readonly property: string;
  readonly kind: string;
  readonly text: string;
}

/** The properties of an object schema, a row each. */
export function schemaRows(given: object): SchemaRow[] {
  const { properties = {}, required = [] } = given as SchemaShown;
  return Object.entries(properties).map(([property, schema]) => ({
    property,
    kind: `${schemaText(schema)}${required.includes(property) ? '' : ', optional'}`,
    text: schema.description ?? '',
  }));
}
