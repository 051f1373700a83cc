import type { JSX } from 'preact';
import { changeGroup, removeGroup } from '../../acts/groupActs.tsx';
import { callApi } from '../../api/callApi.ts';
import { whyNotAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { stateOfNode } from '../../nodes/session.tsx';
import { Action } from '../../parts/action.tsx';
import { Cards } from '../../parts/cards.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago } from '../../parts/timeText.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import { type GroupsShown, knownNodes } from './groupsShown.ts';

type Group = GroupsShown['groups'][number];

interface TableProps {
  readonly all: GroupsShown;
  /** Those that match. */
  readonly groups: readonly Group[];
  onChange(): void;
}

const heads = ['Group', 'Nodes', 'Jobs that name it', 'Changed', 'Actions'];

/** A group a row, with its members. */
export function GroupTable({ all, groups, onChange }: TableProps): JSX.Element {
  if (groups.length === 0) return <p class="quiet">No group matches.</p>;
  return (
    <Cards class="groups" label="Groups" heads={heads}>
      {groups.map((group) => (
        <GroupRow key={group.group} {...{ all, group, onChange }} />
      ))}
    </Cards>
  );
}

type RowProps = Omit<TableProps, 'groups'> & { readonly group: Group };

function GroupRow({ all, group, onChange }: RowProps): JSX.Element {
  const name = showLine(group.group);
  const { jobs } = group;
  const isOpen = isShown(group);
  const isNamed = jobs === 0 ? null : `${countOf(jobs, 'job names', 'jobs name')} it.`;
  const whyNot = whyNotAllGroups();
  const then = (act: () => Promise<void>) => async () => {
    await act();
    onChange();
  };
  return (
    <div role="row" class="row">
      <div role="cell" class="stack name">
        <strong>{name}</strong>
        <LiveOf all={all} nodes={group.nodes} />
      </div>
      <div role="cell" class="stack" data-label="nodes">
        <Members all={all} nodes={group.nodes} />
      </div>
      <div role="cell" class={isOpen ? 'stack' : ''} data-label="jobs">
        <JobsOf group={group} isOpen={isOpen} />
      </div>
      <div role="cell" class="quiet" data-label="changed">
        <Ago at={group.changedAt} />
      </div>
      <div role="cell" class="actions">
        <Action
          needs="admin"
          label={`Change the nodes of ${name}`}
          whyNot={whyNot}
          onAct={then(() => changeGroup(group.group, knownNodes(all)))}
        >
          Change
        </Action>
        <Action
          needs="admin"
          kind="danger"
          label={`Remove ${name}`}
          whyNot={whyNot ?? isNamed}
          onAct={then(() => removeGroup(group))}
        >
          Remove
        </Action>
      </div>
    </div>
  );
}

interface MembersProps {
  readonly all: GroupsShown;
  readonly nodes: readonly string[];
}

/** Whether any job that is for the group has where to run. */
function LiveOf({ all, nodes }: MembersProps): JSX.Element {
  const live = all.sessions.filter(({ node, state }) => state === 'live' && nodes.includes(node));
  if (nodes.length === 0) return <span class="quiet">no node is in it</span>;
  if (live.length === 0) return <StatusBadge status="cannot_run" word="no node is live" />;
  return (
    <span class="quiet">
      {live.length} of {countOf(nodes.length, 'node')} live
    </span>
  );
}

function Members({ all: { sessions }, nodes }: MembersProps): JSX.Element {
  if (nodes.length === 0) return <span class="none">–</span>;
  return (
    <ul class="members">
      {nodes.map((node) => {
        const session = sessions.find((each) => each.node === node);
        return (
          <li key={node}>
            <a href={linkTo(['cluster'], { text: node })} title="Show it in the cluster" data-row>
              {showLine(node)}
            </a>{' '}
            {session === undefined ? (
              <StatusBadge status="ended" word="not seen" title="It was not there in 7 days" />
            ) : (
              <StatusBadge status={stateOfNode(session)} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Whether the jobs that name it are listed. */
function isShown({ group }: Group): boolean {
  return place.value.query.get('jobs') === group;
}

/** How many jobs name it; which, on demand. */
function JobsOf({ group: { group, jobs }, isOpen }: { group: Group; isOpen: boolean }) {
  if (jobs === 0) return <span class="none">none</span>;
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-expanded={isOpen}
        onClick={() => changeQuery({ jobs: isOpen ? undefined : group })}
      >
        {countOf(jobs, 'job')}
      </button>
      {isOpen && <JobNames group={group} jobs={jobs} />}
    </>
  );
}

function JobNames({ group, jobs }: { readonly group: string; readonly jobs: number }) {
  const shown = useResource(group, {
    read: (signal) => callApi('GET /groups/{group}', { path: { group }, signal }),
  });
  return (
    <Loaded of={shown} lines={1}>
      {({ jobNames }) => (
        <>
          <ul>
            {jobNames.map((job) => (
              <li key={job}>
                <a href={linkTo(['jobs', job])}>{showLine(job)}</a>
              </li>
            ))}
          </ul>
          {jobs > jobNames.length && (
            <p class="quiet">
              {jobNames.length === 0
                ? 'Only who sees all groups of jobs sees their names.'
                : `and ${countOf(jobs - jobNames.length, 'more job')}`}
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
