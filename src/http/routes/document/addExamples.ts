import { curlOf } from '../../examples/curlOf.ts';
import { routeExamples } from '../../examples/routeExamples.ts';
import type { ApiDocument } from './apiDocument.ts';
import { operationsOf } from './operationsOf.ts';

/**
 * Adds to each operation an example of its body and of its answers, and the call of curl that sends
 * it, as readers of OpenAPI documents know it (`x-codeSamples`).
 */
export function addExamples(document: ApiDocument): ApiDocument {
  for (const { method, path, operation } of operationsOf(document)) {
    const example = routeExamples[`${method.toUpperCase()} ${path}`];
    if (example === undefined) continue;
    const { requestBody, responses } = operation;
    if (requestBody && 'content' in requestBody) {
      addTo(requestBody.content, { json: example.body, text: example.file });
    }
    const answers = Object.entries(responses ?? {}).filter(([status]) => status < '300');
    for (const [, response] of answers) {
      if (response && 'content' in response) {
        addTo(response.content, { json: example.answer, text: example.text });
      }
    }
    const isOpen = operation.security?.length === 0;
    const source = curlOf(method.toUpperCase(), example, isOpen);
    Object.assign(operation, { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source }] });
  }
  return document;
}

type Media = Record<string, { example?: unknown }>;

function addTo(
  content: Media | undefined,
  { json, text }: { readonly json: unknown; readonly text: string | undefined },
): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    const example = type === 'application/json' ? json : textOf(type, text);
    if (example !== undefined) media.example = example;
  }
}

/** A drawing has two types, and the example is of the one that people read. */
function textOf(type: string, text: string | undefined): string | undefined {
  return type === 'image/svg+xml' ? undefined : text;
}
