import type { ApiDocument } from './apiDocument.ts';
import { type Html, html, join, prose } from './html.ts';
import { type ListedOperation, type Operation, operationsOf } from './operationsOf.ts';
import { schemaRows, schemaText } from './schemaText.ts';

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

function operationSection({ method, path, operation }: ListedOperation): Html {
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
