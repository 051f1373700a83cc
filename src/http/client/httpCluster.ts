import type { Operator } from '../../store/operator/operator.ts';
import type { SessionsJson } from '../schemas/clusterSchemas.ts';
import type { ClusterView } from '../views/clusterView.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';

type Cluster = 'readCluster' | 'listSessions' | 'forgetNode';

/** The nodes of the cluster, over the API of one of them. */
export function httpCluster(client: NodeClient): Pick<ShownOperator, Cluster> {
  return {
    readCluster: async ({ endedWithinMs, sessionsMax }) => {
      const query = { endedWithinMs, limit: sessionsMax };
      return (await client.json<ClusterView>({ method: 'GET', path: 'cluster', query })).body;
    },
    listSessions: async () => {
      const { body } = await client.json<SessionsJson>({ method: 'GET', path: 'sessions' });
      const { targetingVersion, sessions, databaseNowMs } = body;
      const version = targetingVersion === undefined ? {} : { targetingVersion };
      // A node of the first releases leaves words out of what it tells of itself.
      return { sessions: sessions as SessionsLook['sessions'], databaseNowMs, ...version };
    },
    forgetNode: async (nodeName) => {
      const path = `nodes/${pathPart(nodeName)}`;
      const look = 'statecron cluster --ended 30d';
      const asked = { method: 'DELETE', path, look } as const;
      const { body } = await client.json<{ slots: number }>(asked);
      return { nodeName, slots: body.slots };
    },
  };
}

type SessionsLook = Awaited<ReturnType<Operator['listSessions']>>;
