import type { ClusterShown, SessionShown } from '../../store/clusterView.ts';
import type { Operator } from '../../store/operator/operator.ts';
import type { ClusterJson, SessionsJson } from './answerJson.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';
import { instantMs, optionalMs } from './readInstant.ts';

type Cluster = 'readCluster' | 'listSessions' | 'forgetNode';

/** The nodes of the cluster, over the API of one of them. */
export function httpCluster(client: NodeClient): Pick<Operator, Cluster> {
  return {
    readCluster: async ({ endedWithinMs, sessionsMax }) => {
      const query = { endedWithinMs, limit: sessionsMax };
      const { body } = await client.json<ClusterJson>({ method: 'GET', path: 'cluster', query });
      return readCluster(body);
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

function readCluster({ now, unrunnable, sessions, ...same }: ClusterJson): ClusterShown {
  return {
    ...same,
    // Told in one list, as far as the token goes.
    ...{ jobWarnings: [], noticeWarnings: [] },
    nowMs: instantMs(now),
    // Numbers of the database's own, which nobody outside has any use for.
    unrunnable: { ...unrunnable, targetIds: [] },
    sessions: sessions.map(readSession),
  };
}

function readSession(session: ClusterJson['sessions'][number]): SessionShown {
  const { startedAt, endedAt, stripes: _, ...same } = session;
  return { ...same, startedMs: instantMs(startedAt), endedMs: optionalMs(endedAt) };
}
