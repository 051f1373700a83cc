import type { JSX } from 'preact';
import { type Answer, callApi } from '../api/callApi.ts';
import { stateOfNode } from '../nodes/session.tsx';
import { Asked, ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';

type HeldNode = Answer<'PUT /nodes/{node}/cordon'>;

/** Asks first, and why. Throws ApiProblem, as those below do. */
export async function cordonNode(node: string): Promise<void> {
  const shown = showLine(node);
  const question = {
    ...{ title: `Cordon ${shown}?`, act: 'Cordon the node' },
    says: 'It takes no new work until it is uncordoned. What it has prepared or runs goes on.',
    isLast: await isLastTaking(node),
  };
  const held = await askNote(question, (note) =>
    callApi('PUT /nodes/{node}/cordon', { path: { node }, body: { note } }),
  );
  if (held === undefined) return;
  say({ text: `${shown} takes no new work.`, hint: leftWords(held), about: `node ${node}` });
}

/** Asks first, and why. */
export async function drainNode(node: string): Promise<void> {
  const shown = showLine(node);
  const isLast = await isLastTaking(node);
  const goes = isLast ? 'waits until a node takes it' : 'goes to other nodes at once';
  const question = {
    ...{ title: `Drain ${shown}?`, act: 'Drain the node', isLast },
    says:
      `It takes no new work until it is uncordoned. What it has prepared ${goes}. ` +
      'What it runs goes on to its end. The node itself does not stop.',
  };
  const held = await askNote(question, (note) =>
    callApi('POST /nodes/{node}/drain', { path: { node }, body: { note } }),
  );
  if (held === undefined) return;
  const given = countOf(held.withdrawn, 'prepared launch', 'prepared launches');
  const text = `${shown} takes no new work, and gave back ${given}.`;
  say({ text, hint: leftWords(held), about: `node ${node}` });
}

export async function uncordonNode(node: string): Promise<void> {
  await callApi('DELETE /nodes/{node}/cordon', { path: { node } });
  say({ text: `${showLine(node)} takes work again.`, about: `node ${node}` });
}

/** Asks first. */
export async function forgetNode(node: string): Promise<void> {
  const shown = showLine(node);
  const question = {
    title: `Forget ${shown}?`,
    body: (
      <p>
        For a node that will not come back: of jobs that every node runs its ticks that are due
        become missed, and no further ones are expected of it.
      </p>
    ),
    ...{ act: 'Forget the node', isDanger: true },
  };
  await ask(question, async () => {
    const { slots } = await callApi('DELETE /nodes/{node}', { path: { node } });
    say({ text: `${shown} is forgotten. ${countOf(slots, 'slot')} of it ended.` });
  });
}

function leftWords({ executing, prepared }: HeldNode): string {
  if (executing + prepared === 0) return 'It has nothing left to do.';
  return `Left on it: ${countOf(executing, 'run')}, ${prepared} prepared.`;
}

/** Whether no live node takes work but this one, if it does. */
async function isLastTaking(node: string): Promise<boolean> {
  const query = { endedWithinMs: '0', limit: '1000' };
  const { sessions } = await callApi('GET /cluster', { query });
  return !sessions.some(
    (session) => session.node !== node && session.level !== 0 && stateOfNode(session) === 'live',
  );
}

interface NoteQuestion {
  readonly title: string;
  readonly says: string;
  readonly act: string;
  readonly isLast: boolean;
}

/** Asks whether, and why, and does it; undefined: it is not meant. */
function askNote<T>(
  { act, isLast, says, title }: NoteQuestion,
  make: (note: string) => Promise<T>,
): Promise<T | undefined> {
  let note = '';
  const body: JSX.Element = (
    <>
      <p>{says}</p>
      {isLast && (
        <p class="box doubt">No other live node takes work: no job starts until one does.</p>
      )}
      <Asked
        label="Why, for others to read"
        onText={(text) => {
          note = text;
        }}
      />
    </>
  );
  return ask({ title, act, body }, () => make(note.trim()));
}
