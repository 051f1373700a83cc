import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { StateTable } from '../machines/actorTable.tsx';
import type { Life } from './chosenMoment.ts';
import type { ShownRun } from './shownRun.ts';

/** What the actors of its node said of a run, while somebody looked; one under way is looked at. */
export function RunMessages({ run }: { readonly run: ShownRun }): JSX.Element | null {
  const { launchId, life, node, result } = run;
  if (!life || launchId === null || node === null) return null;
  const { messages } = life;
  return (
    <details>
      <summary>Messages of its actors: {messages ? messages.length : 'not kept'}</summary>
      {messages ? <MessageTable messages={messages} /> : <p class="quiet">{whyNone}</p>}
      {result === null && <Looking node={node} />}
    </details>
  );
}

const whyNone =
  'Nodes keep them only while somebody looks at a run under way or at the machines of other ' +
  'nodes, and of the latest launches alone.';

/** As long as it is shown, nodes keep what their actors say. */
function Looking({ node }: { readonly node: string }): null {
  useResource(`messages of ${node}`, {
    read: (signal) => callApi('GET /machines/live', { signal, query: { node } }),
    everyMs: 10_000,
  });
  return null;
}

function MessageTable({ messages }: { readonly messages: NonNullable<Life['messages']> }) {
  const firstMs = Date.parse(messages[0]?.at ?? '');
  return (
    <StateTable title="Messages" heads={['After', 'From', 'To', 'Message', 'State of the slot']}>
      {messages.map(({ at, event, from, state, to }, index) => (
        <tr key={`${index} ${event}`}>
          <td class="number">{Date.parse(at) - firstMs} ms</td>
          <td>{from ?? '–'}</td>
          <td>{to}</td>
          <td>{event}</td>
          <td>{state}</td>
        </tr>
      ))}
    </StateTable>
  );
}
