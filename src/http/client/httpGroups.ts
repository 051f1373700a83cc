import type { GroupChanged } from '../../store/groups/changeGroup.ts';
import type { GroupListed } from '../../store/groups/listGroups.ts';
import type { Operator } from '../../store/operator/operator.ts';
import type { ChangedGroupJson, GroupJson, LimitJson, ShownGroupJson } from './answerJson.ts';
import { changeUnlessChanged } from './changeUnlessChanged.ts';
import type { NodeClient } from './nodeClient.ts';
import { orMissing } from './orMissing.ts';
import { pathPart } from './pathPart.ts';
import { instantMs } from './readInstant.ts';

type Groups = 'listGroups' | 'showGroup' | 'changeGroup' | 'listLimits' | 'changeLimit';

/** Groups of nodes, and the limits of groups of jobs, over a node's API. */
export function httpGroups(client: NodeClient): Pick<Operator, Groups> {
  const read = async (group: string) => {
    return client.json<ShownGroupJson>({ method: 'GET', path: pathOf(group) });
  };
  return {
    listGroups: async () => {
      const asked = { method: 'GET', path: 'groups' } as const;
      const { body } = await client.json<{ items: GroupJson[] }>(asked);
      return body.items.map(readGroup);
    },
    showGroup: async (group) => {
      const { body } = await read(group);
      return { ...readGroup(body), jobNames: body.jobNames };
    },
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
      const { body } = await client.json<{ items: LimitJson[] }>(asked);
      return body.items.map(({ max, ...same }) => ({ ...same, concurrencyMax: max }));
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

function readGroup({ group, nodes, jobs, changedAt }: GroupJson): GroupListed {
  return { group, nodes, jobs, changedMs: instantMs(changedAt) };
}
