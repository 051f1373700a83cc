import { type Html, html, join, prose } from './html.ts';

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

/** What a schema takes, in short, with links to those that have names. */
export function schemaText(given: object, depth = 0): Html {
  const schema = given as SchemaShown;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(/^.*\//, '');
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.enum !== undefined) return html`${schema.enum.map(valueText).join(' | ')}`;
  if (schema.const !== undefined) return html`${valueText(schema.const)}`;
  const many = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (depth > depthMax) return html`…`;
  if (many !== undefined) return listed(many.map((each) => schemaText(each, depth + 1)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['any value']);
  return listed(types.map((type) => typeText(type, schema, depth)));
}

function listed(kinds: readonly Html[], between = ' | '): Html {
  return join(kinds.flatMap((kind, index) => (index === 0 ? [kind] : [html`${between}`, kind])));
}

function valueText(value: unknown): string {
  return JSON.stringify(value);
}

function typeText(type: string, schema: SchemaShown, depth: number): Html {
  if (type === 'array') return html`list of ${schemaText(schema.items ?? {}, depth + 1)}`;
  if (type === 'object') return objectText(schema, depth);
  if (type === 'null') return html`null`;
  const { format } = schema;
  return html`${format === undefined ? type : `${type} (${format})`}${boundsText(schema)}`;
}

function objectText({ properties, additionalProperties }: SchemaShown, depth: number): Html {
  const names = Object.entries(properties ?? {}).map(
    ([name, each]) => html`${name}: ${schemaText(each, depth + 1)}`,
  );
  if (names.length > 0) return html`{ ${listed(names, ', ')} }`;
  if (typeof additionalProperties !== 'object') return html`object`;
  return html`{ name: ${schemaText(additionalProperties, depth + 1)} }`;
}

/** The largest numbers that there are, which zod writes down as bounds, say nothing. */
function boundsText({ minimum, maximum }: SchemaShown): string {
  const isBound = (value: number | undefined) =>
    value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (isBound(minimum) && isBound(maximum)) return `, ${minimum} to ${maximum}`;
  if (isBound(minimum)) return `, ${minimum} or more`;
  return isBound(maximum) ? `, ${maximum} or less` : '';
}

/** The properties of an object schema, a row each; of a union the members, a row each. */
export function schemaRows(given: object): Html[] {
  const schema = given as SchemaShown;
  const { properties, required = [] } = schema;
  if (properties === undefined) return (schema.oneOf ?? [schema]).map(memberRow);
  return Object.entries(properties).map(
    ([name, property]) =>
      html`<tr><td><code>${name}</code></td><td>${schemaText(property)}${
        required.includes(name) ? '' : ', optional'
      }</td><td>${prose(property.description ?? '')}</td></tr>`,
  );
}

function memberRow(member: SchemaShown): Html {
  return html`<tr><td>${schemaText(member)}</td><td>${prose(member.description ?? '')}</td></tr>`;
}
