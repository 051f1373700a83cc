import { type ProblemCode, problemGuide } from '../../problems/problemGuide.ts';
import { type Html, html, join, prose } from './html.ts';
import type { ListedOperation, Operation } from './operationsOf.ts';
import { schemaText } from './schemaText.ts';

/** An example of at most so many lines is open at once. */
const openLinesMax = 14;

/** One route on the page: what it takes, a call of it, and what it answers. */
export function operationArticle({ method, path, operation }: ListedOperation): Html {
  const { summary = '', description = '', requestBody, responses, operationId = '' } = operation;
  const extensions = operation as Extensions;
  const role = extensions['x-role'] ?? 'anyone';
  const need = role === 'anyone' ? 'without a token' : `role: ${role}`;
  const [call] = extensions['x-codeSamples'] ?? [];
  return html`<article id="${operationId}"><h3><a href="#${operationId}">${summary}</a></h3>
<p><code class="${method}">${method.toUpperCase()}</code> <code>${path}</code>
<span class="role">${need}</span></p><p>${prose(description)}</p>
${parametersOf(operation)}${bodyOf(requestBody)}
${call === undefined ? html`` : html`<pre>${call.source}</pre>`}
${answersOf(responses)}${problemsOf(extensions['x-problems'] ?? [])}</article>
`;
}

/** What the document has beside what OpenAPI names. */
interface Extensions {
  readonly 'x-role'?: string;
  readonly 'x-codeSamples'?: readonly { readonly source: string }[];
  readonly 'x-problems'?: readonly ProblemCode[];
}

interface Media {
  readonly schema?: object;
  readonly example?: unknown;
}

const places = ['path', 'query', 'header'] as const;

function parametersOf({ parameters = [] }: Operation): Html {
  const shown = parameters.flatMap((parameter) => ('$ref' in parameter ? [] : [parameter]));
  const rows = places.flatMap((wanted) => shown.filter(({ in: place }) => place === wanted));
  const lines = rows.map((parameter) => {
    const { name, in: place, required = false, schema, description: text = '' } = parameter;
    const kind = schema === undefined ? html`` : schemaText(schema);
    return html`<tr><td><code>${name}</code></td><td>${place}${required ? ', required' : ''}</td>
<td>${kind}</td><td>${prose(text)}</td></tr>`;
  });
  return lines.length === 0 ? html`` : html`<table>${join(lines)}</table>`;
}

function bodyOf(body: Operation['requestBody']): Html {
  if (body === undefined || '$ref' in body) return html``;
  const kinds = mediaOf(body).map(
    ([type, { schema }]) =>
      html`<p>Body${
        body.required === true ? '' : ' (optional)'
      }, ${type}: ${schema === undefined ? '' : schemaText(schema)}</p>`,
  );
  return join(kinds);
}

function answersOf(responses: Operation['responses']): Html {
  const answers = Object.entries(responses ?? {}).flatMap(([status, response]) => {
    if (response === undefined || '$ref' in response) return [];
    const kinds = mediaOf(response);
    if (kinds.some(([type]) => type === 'application/problem+json')) return [];
    const types = kinds.map(
      ([type, { schema }]) => html` ${type}: ${schema === undefined ? '' : schemaText(schema)}`,
    );
    const examples = kinds.map(([, { example }]) => exampleOf(example));
    return [
      html`<p><b>${status}</b> ${prose(response.description)}${join(types)}</p>${join(examples)}`,
    ];
  });
  return join(answers);
}

function exampleOf(example: unknown): Html {
  if (example === undefined) return html``;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  const isOpen = text.split('\n').length <= openLinesMax;
  const attribute = isOpen ? ' open' : '';
  const code = html`<pre>${text}</pre>`;
  return html`<details${attribute}><summary>Example</summary>${code}</details>`;
}

function problemsOf(codes: readonly ProblemCode[]): Html {
  if (codes.length === 0) return html``;
  const links = codes.map((code) => {
    const status = String(problemGuide[code].status);
    return html` <a href="#problem-${code}"><code>${code}</code></a> (${status}),`;
  });
  return html`<p>Problems:${join(links)} and <a href="#problems">those of any request</a>.</p>`;
}

function mediaOf({ content = {} }: { readonly content?: object }): (readonly [string, Media])[] {
  return Object.entries(content);
}
