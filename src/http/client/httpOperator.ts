import { isoOf } from '../views/isoOf.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import { httpGroups } from './httpGroups.ts';
import { httpJobs } from './httpJobs.ts';
import { httpRuns } from './httpRuns.ts';
import { httpVerify } from './httpVerify.ts';
import type { NodeClient } from './nodeClient.ts';

type Called = Omit<
  ShownOperator,
  | keyof ReturnType<typeof httpJobs>
  | keyof ReturnType<typeof httpRuns>
  | keyof ReturnType<typeof httpGroups>
  | keyof ReturnType<typeof httpVerify>
>;

/**
 * The operator that speaks to a node's API, with the shapes and errors of `shownOperator`. What is
 * given a callback reads, calls it, and changes on the condition that nobody else did meanwhile;
 * lists page by the keys that the node gives them.
 */
export function httpOperator(client: NodeClient): ShownOperator {
  return {
    ...called(client),
    ...httpJobs(client),
    ...httpRuns(client),
    ...httpGroups(client),
    ...httpVerify(client),
  };
}

/** What is one call each. */
function called(client: NodeClient): Called {
  const tokens = { look: 'statecron token list' };
  const targets = { look: 'statecron notify list' };
  return {
    runJob: (job, requestId, { env, wantedNode, ignoresOverlap } = {}) => {
      const options = { env, node: wantedNode ?? undefined, ignoreOverlap: ignoresOverlap };
      const input = { job, requestId, ...options };
      return client.call('POST /jobs/{job}/run', input, runsOf(job));
    },
    skipNext: (job, count) =>
      client.call('POST /jobs/{job}/skip-next', { job, count }, runsOf(job)),
    backfillJob: (job, requestId, { fromMs, untilMs, ticksMax: max }, dryRun) => {
      const input = { job, from: isoOf(fromMs), to: isoOf(untilMs), max, requestId, dryRun };
      return client.call('POST /jobs/{job}/backfill', input, runsOf(job));
    },
    readCluster: ({ endedWithinMs, sessionsMax: limit }) =>
      client.call('GET /cluster', { endedWithinMs, limit }),
    listSessions: () => client.call('GET /sessions', {}),
    forgetNode: (node) =>
      client.call('DELETE /nodes/{node}', { node }, { look: 'statecron cluster --ended 30d' }),
    addToken: ({ name, role, groups, expiresMs }) => {
      const expires = expiresMs === null ? undefined : isoOf(expiresMs);
      const input = { name, role, groups, expires };
      return client.call('POST /tokens', input, tokens);
    },
    listTokens: async () => (await client.call('GET /tokens', {})).items,
    revokeToken: (token) => client.call('DELETE /tokens/{token}', { token }, tokens),
    addNotificationTarget: async ({ secret, ...target }) => {
      const input = { ...target, secret: secret ?? undefined };
      await client.call('POST /notify/targets', input, targets);
    },
    editNotificationTarget: (target, { secret, ...change }) => {
      const input = { target, ...change, secret: secret ?? undefined };
      return client.call('PATCH /notify/targets/{target}', input, targets);
    },
    removeNotificationTarget: (target) =>
      client.call('DELETE /notify/targets/{target}', { target }, targets),
    testNotificationTarget: (target) =>
      client.call('POST /notify/targets/{target}/test', { target }, targets),
    retryNotifications: (target) =>
      client.call('POST /notify/targets/{target}/retry', { target }, targets),
    listNotificationTargets: async () => (await client.call('GET /notify/targets', {})).items,
    listNotifications: async ({ target, notificationsMax: limit }) =>
      (await client.call('GET /notify/log', { target: target ?? undefined, limit })).items,
  };
}

function runsOf(job: string) {
  return { look: `statecron runs --job ${job}` };
}
