import type { JSX } from 'preact';
import { type Answer, callApi, readTagged } from '../api/callApi.ts';
import { Asked, ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';

type Group = Answer<'GET /groups'>['items'][number];
type Changed = Answer<'PUT /groups/{group}'>;

/** Asks for its name and its nodes. Throws ApiProblem, as those below do. */
export async function addGroup(known: readonly string[]): Promise<void> {
  let group = '';
  const members = new Members([]);
  const question = {
    title: 'Add a group of nodes',
    body: (
      <>
        <p>
          Jobs name it as where they may run, or may not: <em>on group</em> and{' '}
          <em>not on group</em> in the form of a job.
        </p>
        <Asked
          label="Name"
          onText={(text) => {
            group = text.trim();
          }}
        />
        <NodeChoice known={known} members={members} />
      </>
    ),
    act: 'Add the group',
  };
  await ask(question, async () => {
    const body = { nodes: members.names };
    sayChanged(await callApi('PUT /groups/{group}', { path: { group }, body, ifNoneMatch: '*' }));
  });
}

/** Asks which nodes are in it; when somebody else changes it meanwhile, nothing is changed. */
export async function changeGroup(group: string, known: readonly string[]): Promise<void> {
  const { body: present, tag } = await readTagged('GET /groups/{group}', { path: { group } });
  const members = new Members(present.nodes);
  const question = {
    title: `Change the nodes of ${showLine(group)}?`,
    body: (
      <>
        <p>{jobsText(present)} What is prepared on a node that leaves goes to another one.</p>
        <NodeChoice known={known} members={members} />
      </>
    ),
    act: 'Change the group',
  };
  await ask(question, async () => {
    const ifMatch = tag ?? '*';
    const body = { nodes: members.names };
    sayChanged(await callApi('PUT /groups/{group}', { path: { group }, body, ifMatch }));
  });
}

/** Asks first. */
export async function removeGroup({ group, nodes }: Group): Promise<void> {
  const shown = showLine(group);
  const question = {
    title: `Remove the group ${shown}, ${countOf(nodes.length, 'node')}?`,
    body: <p>No job names it. The nodes themselves go on.</p>,
    ...{ act: 'Remove the group', isDanger: true },
  };
  await ask(question, async () => {
    await callApi('DELETE /groups/{group}', { path: { group } });
    say({ text: `The group ${shown} is removed.` });
  });
}

function jobsText({ jobs }: Group): string {
  if (jobs === 0) return 'No job names it.';
  return `${countOf(jobs, 'job names', 'jobs name')} it and ${jobs === 1 ? 'follows' : 'follow'}.`;
}

function sayChanged({ changed, group, nodes, withdrawn }: Changed): void {
  const text = changed ? 'has' : 'had already';
  const hint =
    withdrawn > 0 && `${countOf(withdrawn, 'prepared launch', 'prepared launches')} moved.`;
  say({
    text: `The group ${showLine(group)} ${text} ${countOf(nodes.length, 'node')}.`,
    ...(hint && { hint }),
  });
}

/** The nodes that are chosen while the question is open. */
class Members {
  readonly #chosen: Set<string>;
  /** Names that no check box has. */
  others = '';

  constructor(present: readonly string[]) {
    this.#chosen = new Set(present);
  }

  has(node: string): boolean {
    return this.#chosen.has(node);
  }

  turn(node: string): void {
    if (!this.#chosen.delete(node)) this.#chosen.add(node);
  }

  /** Of nodes that nobody has seen lately, too. */
  allOf(known: readonly string[]): string[] {
    return [...new Set([...known, ...this.#chosen])].sort();
  }

  get names(): string[] {
    const others = this.others.split(/[\s,]+/).filter((name) => name !== '');
    return [...new Set([...this.#chosen, ...others])];
  }
}

interface ChoiceProps {
  /** Nodes that there are. */
  readonly known: readonly string[];
  readonly members: Members;
}

function NodeChoice({ known, members }: ChoiceProps): JSX.Element {
  return (
    <>
      <fieldset class="choices many">
        <legend>Nodes</legend>
        {members.allOf(known).map((node) => (
          <label key={node} class="check">
            <input
              type="checkbox"
              defaultChecked={members.has(node)}
              onChange={() => members.turn(node)}
            />
            {showLine(node)}
          </label>
        ))}
      </fieldset>
      <Asked
        label="Other nodes, by their names"
        onText={(text) => {
          members.others = text;
        }}
      />
    </>
  );
}
