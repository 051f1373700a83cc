import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { jobFields } from '../../../src/domain/job/fields.ts';
import { readGuide } from '../../../src/http/guide/guide.ts';
import { makeApiWorld } from '../world/apiWorld.ts';

interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Record<string, unknown>>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

test('the document is valid OpenAPI 3.1 and says of every route who may', async (t) => {
  const world = await makeApiWorld(t);
  const { json, status } = await world.ask('GET', '/openapi.json', { token: '' });
  assert.equal(status, 200);
  const result = await new Validator().validate(json);
  assert.equal(result.valid, true, JSON.stringify(result.errors));
  const { openapi, paths, components, tags } = json as Document;
  const tagNames = tags.map(({ name }) => name);
  assert.equal(openapi, '3.1.0');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  assert.ok(operations.length >= 40, `${operations.length} operations`);
  const ids = new Set<unknown>();
  for (const { path, method, operation } of operations) {
    const told = `${method} ${path}`;
    assert.match(String(operation['x-role']), /^(viewer|operator|admin|anyone)$/, told);
    assert.ok(operation.summary !== undefined && operation.tags !== undefined, told);
    assert.ok(operation.operationId !== undefined, told);
    const responses = operation.responses as Record<string, { headers?: object }>;
    assert.ok(responses['429']?.headers, `${told} says when to come back`);
    assert.ok(responses['503'], told);
    assert.ok(tagNames.includes((operation.tags as string[])[0] ?? ''), told);
    assert.ok(!ids.has(operation.operationId), `${told}: ${operation.operationId} is there twice`);
    ids.add(operation.operationId);
  }
  const words = Object.keys(components.schemas.JobFields?.properties ?? {});
  assert.deepEqual(words.sort(), jobFields.map(({ key }) => key).sort());
});

test('every object that a request takes refuses fields that it does not know', async (t) => {
  const world = await makeApiWorld(t);
  const { json } = await world.ask('GET', '/openapi.json');
  const { paths, components } = json as Document;
  const open: string[] = [];
  const resolve = (schema: Record<string, unknown>): Record<string, unknown> => {
    const name = (schema.$ref as string | undefined)?.split('/').at(-1) ?? '';
    return schema.$ref === undefined ? schema : (components.schemas[name] as never);
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const content = (requestBody as { content?: object } | undefined)?.content ?? {};
      for (const { schema } of Object.values(content) as { schema: Record<string, unknown> }[]) {
        const { type, additionalProperties } = resolve(schema);
        if (type === 'object' && additionalProperties !== false) open.push(`${method} ${path}`);
      }
    }
  }
  assert.deepEqual(open, []);
});

test('the pages of the documentation load nothing from elsewhere and run nothing', async (t) => {
  const world = await makeApiWorld(t);
  const seen = new Set<string>();
  const walk = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const page = await world.ask('GET', path, { token: '' });
    assert.equal(page.status, 200, path);
    const type = page.headers.get('content-type') ?? '';
    const policy = page.headers.get('content-security-policy') ?? '';
    if (type.startsWith('text/html')) {
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
    }
    if (path.endsWith('.png')) assert.equal(type, 'image/png');
    if (!type.startsWith('text/html')) return;
    assert.doesNotMatch(page.text, /<script|\son\w+=|\sstyle=|src="(https?:)?\/\//i);
    const links = [...page.text.matchAll(/(?:href|src)="([^"#]+)/g)].map(([, link]) => link ?? '');
    for (const link of links.filter((each) => !/^https?:/.test(each))) {
      await walk(new URL(link, `${world.origin}${path}`).pathname);
    }
  };
  await walk('/docs');
  for (const { name } of readGuide().topics) assert.ok(seen.has(`/docs/${name}`), name);
  for (const path of ['/openapi.json', '/docs/timeline.png']) assert.ok(seen.has(path), path);
  const folder = await fetch(`${world.origin}/docs/`);
  assert.deepEqual([folder.status, folder.url], [200, `${world.origin}/docs`]);
  const reference = await world.ask('GET', '/docs/reference', { token: '' });
  assert.doesNotMatch(reference.text, /`/, 'code is shown as code');
  assert.match(reference.text, /retryDelay/);
  assert.match(reference.text, /POST<\/code> <code>\/api\/v1\/jobs\/\{job\}\/backfill/);
  const missing = await world.ask('GET', '/docs/nowhere', { token: '' });
  assert.equal(missing.status, 404);
  assert.match(missing.text, /"code":"path_missing"/);
});

test('links of the page lead somewhere; routes and schemas have their places', async (t) => {
  const world = await makeApiWorld(t);
  const page = await world.ask('GET', '/docs/reference', { token: '' });
  const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string);
  assert.equal(new Set(ids).size, ids.length, 'an id is there twice');
  const links = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id as string);
  assert.deepEqual(
    [...new Set(links)].filter((link) => !ids.includes(link)),
    [],
  );
  const { json } = await world.ask('GET', '/openapi.json', { token: '' });
  const { paths, components } = json as Document;
  const names = Object.values(paths).flatMap((each) =>
    Object.values(each).map(({ operationId }) => operationId as string),
  );
  const wanted = [...names, ...Object.keys(components.schemas).map((name) => `schema-${name}`)];
  assert.deepEqual(
    wanted.filter((id) => !ids.includes(id)),
    [],
  );
  const linked = new Set(links);
  assert.ok(linked.has('schema-Slot') && linked.has('problem-if_match_missing'));
  assert.deepEqual(
    names.filter((name) => !linked.has(name)),
    [],
    'missing in the index',
  );
});
