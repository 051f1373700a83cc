import type { NoticeListJson, TargetListJson } from '../schemas/noticeSchemas.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import type { NodeClient } from './nodeClient.ts';
import { pathPart } from './pathPart.ts';

type Notices =
  | ('addNoticeTarget' | 'editNoticeTarget' | 'removeNoticeTarget' | 'testNoticeTarget')
  | ('listNotices' | 'listNoticeTargets' | 'retryNotices');

/** Who is told of what, over a node's API. */
export function httpNotices(client: NodeClient): Pick<ShownOperator, Notices> {
  const look = 'statecron notify list';
  const pathOf = (name: string): string => `notify/targets/${pathPart(name)}`;
  return {
    addNoticeTarget: async ({ secret, ...target }) => {
      const body = { ...target, ...(secret === null ? {} : { secret }) };
      await client.json({ method: 'POST', path: 'notify/targets', body, look });
    },
    editNoticeTarget: async (name, body) => {
      const asked = { method: 'PATCH', path: pathOf(name), body, look } as const;
      const answer = await client.json<{ changed: boolean }>(asked);
      return answer.body.changed;
    },
    removeNoticeTarget: async (name) => {
      await client.json({ method: 'DELETE', path: pathOf(name), look });
    },
    testNoticeTarget: async (name) => {
      const asked = { method: 'POST', path: `${pathOf(name)}/test`, look } as const;
      return (await client.json<{ id: string }>(asked)).body.id;
    },
    retryNotices: async (name) => {
      const asked = { method: 'POST', path: `${pathOf(name)}/retry`, look } as const;
      return (await client.json<{ notices: number }>(asked)).body.notices;
    },
    listNoticeTargets: async () => {
      const asked = { method: 'GET', path: 'notify/targets' } as const;
      const { body } = await client.json<TargetListJson>(asked);
      return body.items;
    },
    listNotices: async ({ target, noticesMax }) => {
      const query = { limit: noticesMax, ...(target === null ? {} : { target }) };
      const asked = { method: 'GET', path: 'notify/log', query } as const;
      const { body } = await client.json<NoticeListJson>(asked);
      return body.items;
    },
  };
}
