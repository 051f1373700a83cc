import type { JSX } from 'preact';
import { addGroup } from '../../acts/groupActs.tsx';
import { callApi } from '../../api/callApi.ts';
import { whyNotAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { newestSessions } from '../../nodes/session.tsx';
import { Action } from '../../parts/action.tsx';
import { SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { type GroupsShown, knownNodes } from './groupsShown.ts';
import { GroupTable } from './groupTable.tsx';

/** A week: a node that was away for longer is not offered as a member. */
const endedWithinMs = `${7 * 86_400_000}`;

/** Groups of nodes, and which of their members are there. */
export function GroupsScreen(): JSX.Element {
  const groups = useResource<GroupsShown>('groups', {
    read: async (signal) => {
      const query = { endedWithinMs, limit: '1000' };
      const [listed, cluster] = await Promise.all([
        callApi('GET /groups', { signal }),
        callApi('GET /cluster', { query, signal }),
      ]);
      return { groups: listed.items, sessions: newestSessions(cluster.sessions) };
    },
    isAbout: ({ type }) => type.startsWith('session.'),
    everyMs: 10_000,
  });
  const text = (place.value.query.get('text') ?? '').toLowerCase();
  const { data } = groups;
  const shown = (all: GroupsShown['groups']) =>
    all.filter(({ group, nodes }) => `${group}\n${nodes.join('\n')}`.toLowerCase().includes(text));
  const add = async () => {
    await addGroup(knownNodes(data.value));
    groups.reload();
  };
  return (
    <div class="screen">
      <header class="bar">
        <h1>Node groups</h1>
        <SearchField name="text" label="Search by group or node" />
        <p class="count quiet" role="status">
          {data.value && countOf(shown(data.value.groups).length, 'group')}
        </p>
        <Action icon="add" needs="admin" whyNot={whyNotAllGroups()} onAct={add}>
          Add a group
        </Action>
      </header>
      <Loaded of={groups} lines={8}>
        {(loaded) =>
          loaded.groups.length === 0 ? (
            <NoGroups />
          ) : (
            <GroupTable
              all={loaded}
              groups={shown(loaded.groups)}
              onChange={() => groups.reload()}
            />
          )
        }
      </Loaded>
    </div>
  );
}

function NoGroups(): JSX.Element {
  return (
    <Empty title="There is no group of nodes">
      <p>
        A group is a set of nodes. A job can be bound to it and runs on these nodes only. Add one
        here, or:
      </p>
      <pre>statecron group add web --node web1 --node web2</pre>
    </Empty>
  );
}
