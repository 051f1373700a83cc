import { isOfEveryRequest, type ProblemCode, problemGuide } from '../../problems/problemGuide.ts';
import type { ApiDocument } from './apiDocument.ts';
import { type Html, html, join, prose } from './html.ts';
import { operationArticle } from './operationArticle.ts';
import { type ListedOperation, operationsOf } from './operationsOf.ts';
import { schemaRows } from './schemaText.ts';

/** The document as a page: no script, nothing from elsewhere, every text escaped. */
export function docsPage(document: ApiDocument): string {
  const { title, version, description = '' } = document.info;
  const groups = groupsOf(document);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="style.css"></head><body>
<header><h1><a href="../docs">${title}</a> API <small>${version}</small></h1>
<nav><a href="#routes">routes</a> <a href="#problems">problems</a> <a href="#schemas">schemas</a>
<a href="../openapi.json">openapi.json</a></nav></header>
<main>${join(description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`))}
<pre>${firstCall}</pre>
<section id="routes"><h2>Routes</h2><div class="index">${join(groups.map(indexOf))}</div></section>
${join(groups.map(sectionOf))}
${problemsSection()}
<section id="schemas"><h2>Schemas</h2>${join(schemaSections(document))}</section></main>
</body></html>
`;
  return page.text;
}

const firstCall = `# bash or zsh; npm start keeps the first token in this file
export STATECRON_URL=http://127.0.0.1:7700
export STATECRON_TOKEN_FILE=~/.local/share/statecron/token`;

interface Group {
  readonly name: string;
  readonly about: string;
  readonly operations: readonly ListedOperation[];
}

function groupsOf(document: ApiDocument): Group[] {
  const all = operationsOf(document);
  return (document.tags ?? []).map(({ name, description = '' }) => {
    const operations = all.filter(({ operation }) => operation.tags?.[0] === name);
    return { name, about: description, operations };
  });
}

function indexOf({ name, operations }: Group): Html {
  const lines = operations.map(
    ({ method, path, operation }) => html`<li><a href="#${operation.operationId ?? ''}">
<code class="${method}">${method.toUpperCase()}</code> ${path.replace('/api/v1', '')}</a>
<span>${operation.summary ?? ''}</span></li>`,
  );
  return html`<div><h3><a href="#${name}">${name}</a></h3><ul>${join(lines)}</ul></div>`;
}

function sectionOf({ name, about, operations }: Group): Html {
  return html`<section id="${name}"><h2>${name}</h2><p>${prose(about)}</p>
${join(operations.map(operationArticle))}</section>
`;
}

function problemsSection(): Html {
  const codes = Object.keys(problemGuide) as ProblemCode[];
  const [general, special] = [true, false].map((isGeneral) =>
    problemTable(codes.filter((code) => isOfEveryRequest(code) === isGeneral)),
  );
  return html`<section id="problems"><h2>Problems</h2>
<p>Every error is a <a href="#schema-Problem">Problem</a> (RFC 9457) of the type
<code>application/problem+json</code>. Decide by its <code>code</code>, which is stable; its
<code>detail</code> and <code>hint</code> are for people.</p>
<h3>Any request can be answered with these</h3>${general ?? html``}
<h3>Only the routes that list them are answered with these</h3>${special ?? html``}</section>
`;
}

function problemTable(codes: readonly ProblemCode[]): Html {
  const rows = codes.map((code) => {
    const { advice, means, status } = problemGuide[code];
    return html`<tr id="problem-${code}"><td><code>${code}</code></td><td>${String(status)}</td>
<td>${prose(means)} ${prose(advice)}</td></tr>`;
  });
  return html`<table>${join(rows)}</table>`;
}

function schemaSections({ components }: ApiDocument): Html[] {
  return Object.entries(components?.schemas ?? {}).map(([name, schema]) => {
    const about = 'description' in schema ? (schema.description ?? '') : '';
    return html`<article id="schema-${name}"><h3>${name}</h3><p>${prose(about)}</p>
<table>${join(schemaRows(schema))}</table></article>
`;
  });
}
