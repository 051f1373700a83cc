import { shellWord } from '../../domain/text/quoteForShell.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import type { ApiOperator } from '../views/apiOperator.ts';
import { isoOf } from '../views/isoOf.ts';
import { httpJobs, untilOf } from './httpJobs.ts';
import { httpRuns } from './httpRuns.ts';
import { httpVerify } from './httpVerify.ts';
import { itemsOf, type NodeClient } from './nodeClient.ts';
import { changeUnlessChanged, orMissing } from './nodeFaults.ts';

type Called = Omit<
  ApiOperator,
  | keyof ReturnType<typeof httpJobs>
  | keyof ReturnType<typeof httpRuns>
  | keyof ReturnType<typeof httpVerify>
  | Groups
>;

type Groups = 'listGroups' | 'showGroup' | 'changeGroup' | 'listLimits' | 'changeLimit';

/**
 * The operator that speaks to a node's API. What is given a callback reads, calls it, and changes
 * on the condition that nobody else did meanwhile; lists page by the keys that the node gives them.
 */
export function httpOperator(client: NodeClient): ApiOperator {
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
  const nodes = { look: 'statecron cluster' };
  const tokens = { look: 'statecron token list' };
  const targets = { look: 'statecron notify list' };
  const mutes = { look: 'statecron notify mutes' };
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
    readUpcoming: ({ withinMs, groups, isEachTick, launchesMax: limit }) => {
      const within = formatDuration(withinMs);
      return client.call('GET /upcoming', { within, group: groups, allTicks: isEachTick, limit });
    },
    forgetNode: (node) =>
      client.call('DELETE /nodes/{node}', { node }, { look: 'statecron cluster --ended 30d' }),
    cordonNode: (node, note) =>
      client.call('PUT /nodes/{node}/cordon', { node, note: note ?? undefined }, nodes),
    uncordonNode: (node) => client.call('DELETE /nodes/{node}/cordon', { node }, nodes),
    drainNode: (node, note) =>
      client.call('POST /nodes/{node}/drain', { node, note: note ?? undefined }, nodes),
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
    listMutes: async () => (await client.call('GET /notify/mutes', {})).items,
    muteNotifications: (muted, { end, note }) => {
      const input = { ...muted, until: untilOf(end), note: note ?? undefined };
      return client.call('PUT /notify/mutes/{kind}/{name}', input, mutes);
    },
    unmuteNotifications: (muted) => client.call('DELETE /notify/mutes/{kind}/{name}', muted, mutes),
    listAudit: (filter) => listAudit(client, filter),
    listNotifications: async ({ target, notificationsMax: limit }) =>
      (await client.call('GET /notify/log', { target: target ?? undefined, limit })).items,
  };
}

/** The audit log for admins; several pages where more rows are wanted than one has. */
async function listAudit(
  client: NodeClient,
  { rowsMax, sinceMs, ...where }: Parameters<ApiOperator['listAudit']>[0],
) {
  const { actor, job } = where;
  const since = sinceMs === undefined ? undefined : isoOf(sinceMs);
  const pages = itemsOf(rowsMax, auditPageMax, (page) =>
    client.call('GET /audit', { actor, job, since, ...page }),
  );
  const rows = [];
  for await (const row of pages) rows.push(row);
  return rows;
}

const auditPageMax = 200;

function runsOf(job: string) {
  return { look: `statecron runs --job ${shellWord(job)}` };
}

/** Groups of nodes, and the limits of groups of jobs, over a node's API. */
function httpGroups(client: NodeClient): Pick<ApiOperator, Groups> {
  return {
    listGroups: async () => (await client.call('GET /groups', {})).items,
    showGroup: (group) => client.call('GET /groups/{group}', { group }),
    changeGroup: (group, decide) =>
      changeUnlessChanged(async () => {
        const found = await orMissing('group_missing', () =>
          client.read('GET /groups/{group}', { group }),
        );
        const decided = decide(found?.body.nodes ?? null);
        const nodes = decided === null ? [] : [...new Set(decided)].sort();
        const on = { look: `statecron group show ${shellWord(group)}`, ...condition(found) };
        if (decided !== null) return client.call('PUT /groups/{group}', { group, nodes }, on);
        if (found !== null) return client.call('DELETE /groups/{group}', { group }, on);
        return { group, nodes, changed: false, withdrawn: 0 };
      }),
    listLimits: async () => (await client.call('GET /limits', {})).items,
    changeLimit: (group, max) => {
      const look = { look: 'statecron limit list' };
      return max === null
        ? client.call('DELETE /limits/{group}', { group }, look)
        : client.call('PUT /limits/{group}', { group, max }, look);
    },
  };
}

/** What was read must still be so; what was not there must still not be. */
function condition(found: { readonly tag: string | null } | null) {
  return found === null ? { ifNoneMatch: '*' } : { ifMatch: found.tag ?? '*' };
}
