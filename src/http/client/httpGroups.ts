import type { GroupChanged } from '../../store/groups/changeGroup.ts';
import type { ChangedGroupJson } from '../schemas/clusterSchemas.ts';
import type { GroupView, LimitView, ShownGroupView } from '../views/groupView.ts';
import type { ShownOperator } from '../views/shownOperator.ts';
import { changeUnlessChanged } from './changeUnlessChanged.ts';
import type { NodeClient } from './nodeClient.ts';
import { orMissing } from './orMissing.ts';
import { pathPart } from './pathPart.ts';

type Groups = 'listGroups' | 'showGroup' | 'changeGroup' | 'listLimits' | 'changeLimit';

/** Groups of nodes, and the limits of groups of jobs, over a node's API. */
export function httpGroups(client: NodeClient): Pick<ShownOperator, Groups> {
  const read = async (group: string) => {
    return client.json<ShownGroupView>({ method: 'GET', path: pathOf(group) });
  };
  return {
    listGroups: async () => {
      const asked = { method: 'GET', path: 'groups' } as const;
      const { body } = await client.json<{ items: GroupView[] }>(asked);
      return body.items;
    },
    showGroup: async (group) => (await read(group)).body,
    changeGroup: (group, decide) =>
      changeUnlessChanged(async (): Promise<GroupChanged> => {
        const found = await orMissing('group_missing', () => read(group));
        const before = found?.body.nodes ?? null;
        const decided = decide(before);
        const nodes = decided === null ? [] : [...new Set(decided)].sort();
        const look = `statecron group show ${group}`;
        const on = { path: pathOf(group), look, ...condition(found) };
        if (decided === null && found === null) {
          return { group, nodes, isChanged: false, withdrawn: 0 };
        }
        const asked =
          decided === null
            ? ({ method: 'DELETE', ...on } as const)
            : ({ method: 'PUT', body: { nodes }, ...on } as const);
        const { changed, ...same } = (await client.json<ChangedGroupJson>(asked)).body;
        return { ...same, isChanged: changed };
      }),
    listLimits: async () => {
      const asked = { method: 'GET', path: 'limits' } as const;
      const { body } = await client.json<{ items: LimitView[] }>(asked);
      return body.items;
    },
    changeLimit: async (group, concurrencyMax) => {
      const path = `limits/${pathPart(group)}`;
      const on = { path, look: 'statecron limit list' };
      const asked =
        concurrencyMax === null
          ? ({ method: 'DELETE', ...on } as const)
          : ({ method: 'PUT', body: { max: concurrencyMax }, ...on } as const);
      return (await client.json<{ changed: boolean }>(asked)).body.changed;
    },
  };
}

function pathOf(group: string): string {
  return `groups/${pathPart(group)}`;
}

/** What was read must still be so; what was not there must still not be. */
function condition(found: { readonly tag: string | null } | null) {
  return found === null ? { ifNoneMatch: '*' } : { ifMatch: found.tag ?? '*' };
}
