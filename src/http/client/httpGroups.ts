import type { ShownOperator } from '../views/shownOperator.ts';
import { changeUnlessChanged } from './changeUnlessChanged.ts';
import type { NodeClient } from './nodeClient.ts';
import { orMissing } from './orMissing.ts';

type Groups = 'listGroups' | 'showGroup' | 'changeGroup' | 'listLimits' | 'changeLimit';

/** Groups of nodes, and the limits of groups of jobs, over a node's API. */
export function httpGroups(client: NodeClient): Pick<ShownOperator, Groups> {
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
        const on = { look: `statecron group show ${group}`, ...condition(found) };
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
