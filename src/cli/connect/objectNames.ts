import type { ApiOperator } from '../../http/views/apiOperator.ts';

/** What has a name that operators type. */
export type NamedKind = keyof typeof objectNames;

/** The names of what there is, as far as whoever asks may see them; `text`: only those with it. */
export const objectNames = {
  job: async (operator: ApiOperator, text?: string) =>
    (await jobs(operator, text)).map(({ job }) => job),
  jobGroup: async (operator: ApiOperator) => {
    const groups = (await jobs(operator)).map(({ group }) => group ?? 'default');
    return [...new Set(groups)];
  },
  limit: async (operator: ApiOperator) => (await operator.listLimits()).map(({ group }) => group),
  group: async (operator: ApiOperator) => (await operator.listGroups()).map(({ group }) => group),
  target: async (operator: ApiOperator) =>
    (await operator.listNotificationTargets()).map(({ name }) => name),
  token: async (operator: ApiOperator) => (await operator.listTokens()).map(({ name }) => name),
  node: async (operator: ApiOperator) =>
    (await operator.listSessions()).sessions.map(({ nodeName }) => nodeName),
} as const;

/** Of nodes that are not live any more, too. */
export async function knownNodes(operator: ApiOperator): Promise<string[]> {
  const { sessions } = await operator.readCluster({ endedWithinMs: monthMs, sessionsMax: 1_000 });
  return sessions.map(({ node }) => node);
}

const monthMs = 30 * 86_400_000;

/** The first so many: among more, a look at all of them would take longer than it is worth. */
async function jobs(operator: ApiOperator, text?: string) {
  const found = [];
  const conditions = text === undefined || text === '' ? {} : { text };
  for await (const job of operator.listJobs({ jobsMax: 1_000, ...conditions })) found.push(job);
  return found;
}
