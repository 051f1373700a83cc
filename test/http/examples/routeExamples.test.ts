import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { z } from '@hono/zod-openapi';
import { apiContract } from '../../../src/http/contract/apiContract.ts';
import { eventContract, streamEventSchema } from '../../../src/http/contract/eventContract.ts';
import { liveContract } from '../../../src/http/contract/machineContract.ts';
import {
  healthContract,
  loginContract,
  metricsContract,
} from '../../../src/http/contract/nodeContract.ts';
import type { RouteContract } from '../../../src/http/contract/routeContract.ts';
import { curlOf } from '../../../src/http/examples/curlOf.ts';
import { routeExamples } from '../../../src/http/examples/routeExamples.ts';

const routes = Object.entries<RouteContract>({
  ...below({ ...apiContract, ...eventContract, ...liveContract, ...loginContract }),
  ...{ ...healthContract, ...metricsContract },
});

function below(contract: Readonly<Record<string, RouteContract>>) {
  return Object.fromEntries(
    Object.entries(contract).map(([key, route]) => [key.replace(' ', ' /api/v1'), route]),
  );
}

/** Nothing is left of a value that the schema does not name. */
function requireWhole(schema: z.ZodType | undefined, value: unknown): void {
  if (schema !== undefined) assert.deepEqual(schema.parse(value), value);
}

test('each route has an example, and each example a route', () => {
  assert.deepEqual(Object.keys(routeExamples).sort(), routes.map(([key]) => key).sort());
});

describe('each example is what the schemas of its route take and answer', () => {
  for (const [key, { answer, body, query }] of routes) {
    test(key, () => {
      const example = routeExamples[key];
      assert.ok(example);
      const [, pattern = ''] = key.split(' ');
      const [path = '', search] = example.path.split('?');
      const wanted = new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      assert.match(path, wanted);
      query?.parse(Object.fromEntries(new URLSearchParams(search)));
      if (body !== undefined && example.body !== undefined) body.parse(example.body);
      requireWhole(answer, example.answer);
    });
  }
});

test('each event of the example is an event of the stream', () => {
  const { text = '' } = routeExamples['GET /api/v1/events'] ?? {};
  const events = [...text.matchAll(/^event: (.+)$(?:\nid: .+)?\ndata: (.+)$/gm)];
  assert.equal(events.length, 3);
  for (const [, type, data = ''] of events) {
    const event = JSON.parse(data);
    assert.equal(event.type, type);
    requireWhole(streamEventSchema, event);
  }
});

test('curl is given what bash takes for one word, and the token as no argument', () => {
  const shown = curlOf('PUT', { path: '/x', body: { text: "it's" } }, false);
  assert.match(shown, /-d '\{"text":"it'\\''s"\}'/);
  assert.match(shown, /-H @<\(echo "Authorization: Bearer /);
  assert.doesNotMatch(curlOf('GET', { path: '/livez' }, true), /TOKEN| -X/);
});
