import type { JSX } from 'preact';
import { cordonNode, drainNode, forgetNode, uncordonNode } from '../../acts/nodeActs.tsx';
import { whyNotAllGroups } from '../../api/session.ts';
import { Renewed, type Session, stateOfNode } from '../../nodes/session.tsx';
import { Action } from '../../parts/action.tsx';
import { Cards, Load } from '../../parts/cards.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, TextWithTimes } from '../../parts/timeText.tsx';
import { changeQuery, linkTo } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

interface TableProps {
  readonly sessions: readonly Session[];
  onChange(): void;
}

const heads = [
  ...['Node', 'State', 'Level', 'Running', 'Prepared', 'Lease renewed', 'Version', 'Actions'],
];

/** A node a row; on a narrow screen a card, in which each value says what it is. */
export function NodeTable({ onChange, sessions }: TableProps): JSX.Element {
  if (sessions.length === 0) return <p class="quiet">No node matches.</p>;
  return (
    <Cards class="nodes" label="Nodes" heads={heads}>
      {sessions.map((session) => (
        <NodeRow key={session.sessionId} session={session} onChange={onChange} />
      ))}
    </Cards>
  );
}

function NodeRow({ onChange, session }: { session: Session; onChange(): void }): JSX.Element {
  const { concurrency, executing, level, node, prepared, state, version } = session;
  const isEnded = state === 'ended';
  return (
    <div role="row" class={`row${isEnded ? ' is-ended' : ''}`}>
      <div role="cell" class="stack name">
        <NodeName session={session} />
      </div>
      <div role="cell" class="stack">
        <StatusBadge status={stateOfNode(session)} />
        <Cordon session={session} />
      </div>
      <div role="cell" class="number" data-label="level">
        {level}
      </div>
      <div role="cell" class="number" data-label="running">
        {isEnded && executing === 0 ? (
          <span class="none">–</span>
        ) : (
          <Load taken={executing} most={concurrency} />
        )}
      </div>
      <div role="cell" class="number" data-label="prepared">
        {isEnded && prepared === 0 ? <span class="none">–</span> : prepared}
      </div>
      <div role="cell" class="number" data-label={isEnded ? 'ended' : 'renewed'}>
        <Renewed session={session} />
      </div>
      <div role="cell" class="quiet" data-label="version">
        {showLine(version)}
      </div>
      <div role="cell" class="actions">
        <NodeActions node={node} session={session} onChange={onChange} />
      </div>
    </div>
  );
}

function NodeName({ session }: { readonly session: Session }): JSX.Element {
  const { host, labels, node, processId, startedAt } = session;
  return (
    <>
      <a href={linkTo(['jobs'], { node })} title="Jobs that it may run" data-row>
        {showLine(node)}
      </a>
      <span class="quiet">
        {showLine(host)}, process {processId}, started <Ago at={startedAt} />
      </span>
      {labels.length > 0 && (
        <span class="labels">
          {labels.map((label) => (
            <button
              key={label}
              type="button"
              class="chip"
              title={`Only nodes with the label ${showLine(label)}`}
              onClick={() => changeQuery({ label: [label] })}
            >
              {showLine(label)}
            </button>
          ))}
        </span>
      )}
    </>
  );
}

function Cordon({ session }: { readonly session: Session }): JSX.Element | null {
  const { cordon, state } = session;
  if (cordon === null) return null;
  const { by, note, since } = cordon;
  return (
    <>
      {state === 'live' && <span>{leftText(session)}</span>}
      <span class="quiet">
        {note !== '' && <TextWithTimes text={`${note}, `} />}
        by {showLine(by)}, <Ago at={since} />
      </span>
    </>
  );
}

/** How far it is from being drained: nothing new comes, so that this only gets less. */
function leftText({ executing, prepared }: Session): string {
  if (executing + prepared === 0) return 'drained: nothing is left on it';
  const runs = executing === 0 ? [] : [countOf(executing, 'run goes on', 'runs go on')];
  return [...runs, ...(prepared === 0 ? [] : [`${prepared} prepared`])].join(', ');
}

interface ActionsProps {
  readonly node: string;
  readonly session: Session;
  onChange(): void;
}

function NodeActions({ node, onChange, session }: ActionsProps): JSX.Element {
  const then = (act: (node: string) => Promise<void>) => async () => {
    await act(node);
    onChange();
  };
  const name = showLine(node);
  if (session.state === 'ended') {
    return (
      <Action
        needs="admin"
        kind="danger"
        label={`Forget ${name}`}
        whyNot={whyNotAllGroups()}
        onAct={then(forgetNode)}
      >
        Forget
      </Action>
    );
  }
  if (session.cordon !== null) {
    return (
      <>
        <Action
          needs="operator"
          label={`Uncordon ${name}`}
          whyNot={whyNotAllGroups()}
          onAct={then(uncordonNode)}
        >
          Uncordon
        </Action>
        {session.prepared > 0 && <DrainAction name={name} onAct={then(drainNode)} />}
      </>
    );
  }
  return (
    <>
      <Action
        needs="operator"
        label={`Cordon ${name}`}
        whyNot={whyNotAllGroups()}
        onAct={then(cordonNode)}
      >
        Cordon
      </Action>
      <DrainAction name={name} onAct={then(drainNode)} />
    </>
  );
}

function DrainAction({ name, onAct }: { name: string; onAct(): Promise<void> }): JSX.Element {
  return (
    <Action needs="operator" label={`Drain ${name}`} whyNot={whyNotAllGroups()} onAct={onAct}>
      Drain
    </Action>
  );
}
