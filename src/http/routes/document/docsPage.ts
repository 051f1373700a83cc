import type { ApiDocument } from './apiDocument.ts';

type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document as a page: no script, nothing from elsewhere, every text escaped. */
export function docsPage(document: ApiDocument): string {
  const listed = operationsOf(document);
  const tags = document.tags ?? [];
  const sections = tags.map(({ name, description = '' }) => {
    const own = listed.filter(({ operation }) => operation.tags?.[0] === name);
    return html`<section id="${name}"><h2>${name}</h2><p>${prose(description)}</p>
${join(own.map(operationSection))}</section>`;
  });
  const names = tags.map(({ name }) => html`<a href="#${name}">${name}</a> `);
  const { title, version, description = '' } = document.info;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/style.css"></head><body>
<header><h1>${title} <small>${version}</small></h1>
<nav>${join(names)}<a href="#schemas">schemas</a>
<a href="openapi.json">openapi.json</a></nav></header>
<main>${join(description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`))}
${join(sections)}
<section id="schemas"><h2>schemas</h2>${join(schemaSections(document))}</section></main>
</body></html>
`;
  return page.text;
}

function operationsOf({ paths = {} }: ApiDocument): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}

function operationSection({ method, path, operation }: Listed): Html {
  const { summary = '', description = '', parameters = [], requestBody, responses } = operation;
  const role = String((operation as Record<string, unknown>)['x-role'] ?? 'anyone');
  const rows = parameters.flatMap((parameter) => {
    if ('$ref' in parameter) return [];
    const { name, in: place, required = false, schema, description: text = '' } = parameter;
    const kind = schema === undefined ? '' : schemaText(schema);
    const need = required ? 'required' : '';
    return [
      html`<tr><td><code>${name}</code></td><td>${place} ${need}</td><td>${kind}</td>
<td>${prose(text)}</td></tr>`,
    ];
  });
  const table = rows.length === 0 ? html`` : html`<table>${join(rows)}</table>`;
  return html`<article id="${operation.operationId ?? ''}"><h3>${summary}</h3>
<p><code class="${method}">${method.toUpperCase()}</code> <code>${path}</code>
<span class="role">${role}</span></p><p>${prose(description)}</p>${table}${bodyOf(requestBody)}
${answersOf(responses)}</article>
`;
}

function bodyOf(body: Operation['requestBody']): Html {
  if (body === undefined || '$ref' in body) return html``;
  const kinds = Object.entries(body.content ?? {}).map(([type, media]) => {
    const { schema } = media as { readonly schema?: object };
    return html`<li>Body, ${type}: ${schema === undefined ? '' : schemaText(schema)}</li>`;
  });
  return html`<ul>${join(kinds)}</ul>`;
}

function answersOf(responses: Operation['responses']): Html {
  const lines = Object.entries(responses ?? {}).flatMap(([status, response]) => {
    if (response === undefined || '$ref' in response) return [];
    // Problems are the same for all of them.
    if (response.content?.['application/problem+json'] !== undefined) return [];
    const kinds = Object.entries(response.content ?? {}).map(([type, media]) => {
      const { schema } = media as { readonly schema?: object };
      return `${type}: ${schema === undefined ? '' : schemaText(schema)}`;
    });
    return [html`<li>${status}: ${prose(response.description)} ${kinds.join('; ')}</li>`];
  });
  return html`<ul>${join(lines)}</ul>`;
}

function schemaSections({ components }: ApiDocument): Html[] {
  return Object.entries(components?.schemas ?? {}).map(([name, schema]) => {
    const rows = schemaRows(schema).map(
      ({ property, kind, text }) =>
        html`<tr><td><code>${property}</code></td><td>${kind}</td><td>${prose(text)}</td></tr>`,
    );
    const about = 'description' in schema ? (schema.description ?? '') : '';
    return html`<article id="schema-${name}"><h3>${name}</h3><p>${prose(about)}</p>
<table>${join(rows)}</table></article>
`;
  });
}

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
function schemaText(given: object, depth = 0): string {
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
function schemaRows(given: object): SchemaRow[] {
  const { properties = {}, required = [] } = given as SchemaShown;
  return Object.entries(properties).map(([property, schema]) => ({
    property,
    kind: `${schemaText(schema)}${required.includes(property) ? '' : ', optional'}`,
    text: schema.description ?? '',
  }));
}

/** Markup that is known to be whole: what stood in its places was escaped. */
interface Html {
  readonly text: string;
}

/** Markup of a template, with every text in it escaped that is no markup already. */
function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const text = parts.reduce((sum, part, index) => {
    const value = values[index - 1] ?? '';
    return sum + (typeof value === 'string' ? escapeHtml(value) : value.text) + part;
  });
  return { text };
}

function join(pieces: readonly Html[]): Html {
  return { text: pieces.map(({ text }) => text).join('') };
}

/** Text with what stands between backticks as code. */
function prose(text: string): Html {
  return join(
    text
      .split(/`([^`]*)`/)
      .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`)),
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const docsStyle = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1c2430; background: #fff; }
header { position: sticky; top: 0; background: #1c2430; color: #fff; padding: 0.5rem 1.5rem; }
header h1 { margin: 0; font-size: 1.2rem; } header a { color: #9fd0ff; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h2 { border-bottom: 2px solid #d5dbe3; margin-top: 3rem; } h3 { margin: 1.5rem 0 0.25rem; }
section, article { scroll-margin-top: 5rem; }
code { font: 14px/1.4 ui-monospace, monospace; background: #eef1f5; padding: 0 0.25em; }
.get { background: #d9edff; } .post { background: #dcf5df; } .put, .patch { background: #fff0cf; }
.delete { background: #ffdede; } .role { color: #5a6675; font-size: 0.85rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
td { border-top: 1px solid #e3e8ee; padding: 0.25rem 0.5rem; vertical-align: top; }
td:first-child { white-space: nowrap; }
@media (prefers-color-scheme: dark) {
  body { background: #12161c; color: #dde3ea; } code { background: #232a34; }
  .get { background: #123a5c; } .post { background: #14451c; } .put, .patch { background: #4d3a0c; }
  .delete { background: #551b1b; } h2, td { border-color: #2c3541; } a { color: #9fd0ff; }
}
`;
