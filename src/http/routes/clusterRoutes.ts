import { parseSince } from '../../domain/verify/since.ts';
import type { clusterContract } from '../contract/clusterContract.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField, withoutUndefined } from './handling/badField.ts';
import { streamVerification } from './handling/streamVerification.ts';

const hourMs = 3_600_000;

export const clusterRoutes: Handlers<typeof clusterContract> = {
  'GET /cluster': ({ endedWithinMs = hourMs, limit: sessionsMax = 1_000 }, c) =>
    c.var.operate((operator) => operator.readCluster({ endedWithinMs, sessionsMax })),
  'GET /sessions': async (_, c) => {
    const look = await c.var.operate((operator) => operator.listSessions());
    const { databaseNowMs, sessions, targetingVersion = 0 } = look;
    return { databaseNowMs, sessions, targetingVersion };
  },
  'DELETE /nodes/{node}': ({ node }, c) => c.var.operate((operator) => operator.forgetNode(node)),
  'PUT /nodes/{node}/cordon': ({ node, note }, c) =>
    c.var.operate((operator) => operator.cordonNode(node, note)),
  'DELETE /nodes/{node}/cordon': ({ node }, c) =>
    c.var.operate((operator) => operator.uncordonNode(node)),
  'POST /nodes/{node}/drain': ({ node, note }, c) =>
    c.var.operate((operator) => operator.drainNode(node, note)),
  'GET /verify': async ({ job, since: text }, c) => {
    const since = text === undefined ? undefined : parseSince(text);
    if (since === null) throw badField('since', 'a time ago as 7d, or an instant, is wanted');
    const stream = await streamVerification(withoutUndefined({ job, since }), c.var.operate);
    const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' };
    return c.body(stream, 200, headers);
  },
};
