import type { JSX } from 'preact';
import { unmute } from '../../acts/muteActs.tsx';
import type { Mute } from '../../jobs/muted.tsx';
import { Action } from '../../parts/action.tsx';
import { Cards } from '../../parts/cards.tsx';
import { Ago, FullTime, Until } from '../../parts/timeText.tsx';
import { linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';

interface MutesProps {
  readonly mutes: readonly Mute[];
  onChange(): void;
}

const heads = ['What', 'Ends', 'By whom, and why', 'Actions'];

/** What is silent, until when, by whom and why. */
export function Mutes({ mutes, onChange }: MutesProps): JSX.Element {
  if (mutes.length === 0) return <p class="quiet">Nothing is muted.</p>;
  return (
    <Cards class="mutes" label="Muted" heads={heads}>
      {mutes.map((mute) => (
        <MuteRow key={`${mute.kind} ${mute.name}`} mute={mute} onChange={onChange} />
      ))}
    </Cards>
  );
}

function MuteRow({ mute, onChange }: { readonly mute: Mute; onChange(): void }): JSX.Element {
  const { by, kind, name, note, since, until } = mute;
  return (
    <div role="row" class="row">
      <div role="cell" class="stack name">
        <MutedName mute={mute} />
        <span class="quiet">{kindWords[kind]}</span>
      </div>
      <div role="cell" class="stack">
        <Until at={until} />
        <span class="quiet">
          <FullTime at={until} />
        </span>
      </div>
      <div role="cell" class="stack">
        <span>
          {showLine(by)}
          {note !== '' && `: ${showLine(note)}`}
        </span>
        <span class="quiet">
          <Ago at={since} />
        </span>
      </div>
      <div role="cell" class="actions">
        <Action
          needs={kind === 'target' ? 'admin' : 'operator'}
          label={`Unmute ${showLine(name)}`}
          onAct={async () => {
            await unmute(mute);
            onChange();
          }}
        >
          Unmute
        </Action>
      </div>
    </div>
  );
}

const kindWords = { job: 'job', group: 'group of jobs', target: 'target' } as const;

function MutedName({ mute: { kind, name } }: { readonly mute: Mute }): JSX.Element {
  const shown = showLine(name);
  if (kind === 'target') return <strong>{shown}</strong>;
  const to = kind === 'job' ? linkTo(['jobs', name]) : linkTo(['jobs'], { group: [name] });
  return <a href={to}>{shown}</a>;
}
