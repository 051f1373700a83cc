import { problemGuide } from '../../problems/problemGuide.ts';
import { problemsOfRoute } from '../../problems/problemsOfRoute.ts';
import type { ApiDocument } from './apiDocument.ts';
import { operationsOf } from './operationsOf.ts';

/** Adds to each operation the problems that only some routes answer with, by their statuses. */
export function addProblems(document: ApiDocument): ApiDocument {
  for (const { path, operation } of operationsOf(document)) {
    const codes = problemsOfRoute(operation.operationId ?? '', path);
    const responses: Record<string, unknown> = operation.responses ?? {};
    for (const code of codes) {
      const { means, status } = problemGuide[code];
      const known = responses[status] as { description: string } | undefined;
      const description = `\`${code}\`: ${means}`;
      responses[status] = {
        ...(responses.default as object),
        description: known === undefined ? description : `${known.description} ${description}`,
      };
    }
    Object.assign(operation, { 'x-problems': codes });
  }
  return document;
}
