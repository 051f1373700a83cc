import fc from 'fast-check';

/** Names that requests give to things, few, so that they meet again. */
const names = ['a', 'b', 'c', 'd', 'Zoë', 'two words', 'it’s', 'ünï/code', '__proto__', '0', '%41'];
/** Often the same few, and now and then another, so that there come to be many. */
const things = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  { weight: 2, arbitrary: fc.nat({ max: 60 }).map((number) => `job-${number}`) },
);
const instants = [
  ...['2020-01-01T00:00:00Z', '2020-01-01T00:10:00.000Z', '2019-12-31T23:59:00+01:00'],
  ...['1h', '7d', '2030-01-01T00:00:00Z', '2020-02-30T00:00:00Z'],
];
const groups = ['g1', 'g2', 'default'];

/**
 * What values a word usually has, which its schema does not tell: names of things that are there,
 * schedules, times. Without them nearly every request would be refused at the first look.
 */
const known: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  job: things,
  name: things,
  text: fc.constantFrom(...names),
  prefix: fc.constantFrom(...names),
  run: fc.constantFrom('r1', 'r2', 'r3', '1', '2', '3', '7', 'never'),
  request: fc.constantFrom('r1', 'r2', 'r3'),
  requestId: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5'),
  revision: fc.integer({ min: 1, max: 4 }),
  group: fc.constantFrom(...groups),
  groups: fc.subarray(groups, { minLength: 1 }),
  node: fc.constantFrom('worker', 'gone'),
  nodes: fc.subarray(['worker', 'gone', 'other']),
  token: fc.constantFrom('fuzz-a', 'fuzz-b', '0'.repeat(12)),
  machine: fc.constantFrom('slot', 'node', 'notifier', 'live'),
  target: fc.constantFrom('t1', 't2', 'a'),
  cron: fc.constantFrom('0 0 1 1 *', '@daily', '@manual', '@every 2h', 'H 3 * * *', '0 0 30 2 *'),
  command: fc.constantFrom('true', 'echo hello', 'exit 3', 'x'.repeat(2_000)),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Nowhere/None'),
  after: fc.subarray(['a', 'b:succeeded', 'c:failed', 'nobody'], { minLength: 1 }),
  from: fc.constantFrom(...instants),
  to: fc.constantFrom(...instants),
  until: fc.constantFrom(...instants),
  since: fc.constantFrom(...instants),
  notBefore: fc.constantFrom(...instants),
  notAfter: fc.constantFrom(...instants),
  expires: fc.constantFrom('90d', '2030-01-01T00:00:00Z', '0s'),
  count: fc.integer({ min: 1, max: 20 }),
  address: fc.constantFrom('ops@example.com', 'https://example.com/x', 'http://127.0.0.1/'),
  notifyTo: fc.constantFrom(['t1'], ['t1', 't2'], ['nobody']),
  user: fc.constantFrom('nobody', 'root'),
  umask: fc.constantFrom('027', '0o7', '9'),
  'if-match': fc.constantFrom('*', '"1-1"', '"2-1"', '"2-2"', 'W/"1-1"', ''),
  'if-none-match': fc.constantFrom('*', '"x"'),
  'Idempotency-Key': fc.integer({ min: 1, max: 30 }).map((number) => `key-${number}`),
};

/** In a query `after` is where a page ended, and `target` and the like are names of any kind. */
const knownOfQueries: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  after: fc.constantFrom('1', 'a', '1700000000000:1', '999999999', ''),
  lastEventId: fc.constantFrom('0', '1', 'x', '1-2-3'),
  kinds: fc.constantFrom('run', 'run,slot', 'actor', 'x'),
};

/** What a word usually is; undefined: its schema says all. */
export function knownValue(word: string, isQuery = false): fc.Arbitrary<unknown> | undefined {
  if (isQuery && Object.hasOwn(knownOfQueries, word)) return knownOfQueries[word];
  return Object.hasOwn(known, word) ? known[word] : undefined;
}
