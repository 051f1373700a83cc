import { documentContract } from '../../../src/http/contract/nodeContract.ts';
import { routeExamples } from '../../../src/http/examples/routeExamples.ts';
import type { PrintedText } from './printedTexts.ts';
import { argumentsOf, simpleCommands } from './simpleCommands.ts';

/** Paths of the API, with the method that stands before them or that curl is called with. */
export function apiPaths({ form, text }: PrintedText) {
  const calls =
    form === 'script'
      ? simpleCommands(text).flatMap((words) => {
          const args = argumentsOf('curl', words) ?? argumentsOf('api', words);
          return args === null ? [] : [`${methodOf(args)} ${args.join(' ')}`];
        })
      : [text];
  return calls.flatMap((call) => {
    const called = form === 'script' ? call.split(' ')[0] : undefined;
    return [...call.matchAll(apiPath)].flatMap(([, named = called, given = '']) => {
      const wanted = given.replace(/[.…/]+$/, '');
      if (given.endsWith('…') || wanted === '/api/v1') return [];
      const isThere = routes.some(
        (route) => route.pattern.test(wanted) && (named ?? route.method) === route.method,
      );
      return [{ name: `${named ?? ''} ${wanted}`.trim(), isThere }];
    });
  });
}

// Of each route there is an example.
const routes = [...Object.keys(routeExamples), ...Object.keys(documentContract)].map((route) => {
  const [method = '', pattern = ''] = route.split(' ');
  return { method, pattern: new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
});

const method = /(?:\b(GET|POST|PUT|PATCH|DELETE) )?/;
const found = /(\/(?:api\/v1|livez|readyz|openapi\.json|docs(?=[`/]))\b[\w{}./…-]*)/;
const apiPath = new RegExp(`${method.source}(?<=_URL|^|[^\\w.])${found.source}`, 'g');

function methodOf(args: readonly string[]): string {
  const named = args[args.indexOf('-X') + 1];
  if (args.includes('-X') && named !== undefined) return named;
  return args.includes('-d') ? 'POST' : 'GET';
}
