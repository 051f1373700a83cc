import type { JSX } from 'preact';
import { mute, unmute } from '../../acts/muteActs.tsx';
import { changeTarget, removeTarget, retryTarget, testTarget } from '../../acts/targetActs.tsx';
import { eventWords, type Target } from '../../acts/targetFields.tsx';
import type { Mute } from '../../jobs/muted.tsx';
import { Action } from '../../parts/action.tsx';
import { Cards } from '../../parts/cards.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago } from '../../parts/timeText.tsx';
import { linkTo } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

interface TargetsProps {
  readonly targets: readonly Target[];
  readonly mutes: readonly Mute[];
  onChange(): void;
}

const heads = ['Target', 'State', 'Events', 'Waiting', 'Given up', 'Last sent', 'Actions'];

/** Where notifications go, and which. */
export function Targets({ mutes, onChange, targets }: TargetsProps): JSX.Element {
  if (targets.length === 0) {
    return (
      <p>
        There is none, so nobody is told of failures. Add one here, or on the command line:{' '}
        <code>statecron notify add ops --mail ops@example.com --on failure,recovery</code>
      </p>
    );
  }
  return (
    <Cards class="targets" label="Targets" heads={heads}>
      {targets.map((target) => (
        <TargetRow
          key={target.name}
          target={target}
          isMuted={mutes.some(({ kind, name }) => kind === 'target' && name === target.name)}
          onChange={onChange}
        />
      ))}
    </Cards>
  );
}

interface RowProps {
  readonly target: Target;
  readonly isMuted: boolean;
  onChange(): void;
}

function TargetRow({ isMuted, onChange, target }: RowProps): JSX.Element {
  const { address, givenUp, kind, lastSentAt, minuteMax, name, waiting } = target;
  return (
    <div role="row" class="row">
      <div role="cell" class="stack name">
        <a
          href={linkTo(['notifications'], { target: name })}
          title="Show what was sent to it"
          data-row
        >
          {showLine(name)}
        </a>
        <span class="quiet">
          {kind}: {showLine(address)}
        </span>
      </div>
      <div role="cell" class="stack">
        <TargetState target={target} isMuted={isMuted} />
      </div>
      <div role="cell" class="stack" data-label="events">
        <span>{rulesText(target)}</span>
        <span class="quiet">at most {formatCount(minuteMax)} a minute</span>
      </div>
      <div role="cell" class="number" data-label="waiting">
        {waiting === 0 ? <span class="none">–</span> : formatCount(waiting)}
      </div>
      <div role="cell" class="number" data-label="given up">
        {givenUp === 0 ? <span class="none">–</span> : formatCount(givenUp)}
      </div>
      <div role="cell" class="quiet" data-label="last sent">
        <Ago at={lastSentAt} none="never" />
      </div>
      <div role="cell" class="actions">
        <TargetActions target={target} isMuted={isMuted} onChange={onChange} />
      </div>
    </div>
  );
}

function TargetState({ isMuted, target: { lastError, lastSentAt } }: Omit<RowProps, 'onChange'>) {
  if (isMuted) return <StatusBadge status="paused" word="muted" />;
  if (lastError === null) {
    return lastSentAt === null ? (
      <StatusBadge status="idle" word="nothing sent yet" />
    ) : (
      <StatusBadge status="succeeded" word="sent" />
    );
  }
  return (
    <>
      <StatusBadge status="failed" word="last try failed" />
      <span class="quiet">{showLine(lastError)}</span>
    </>
  );
}

function rulesText({ events, longMs }: Target): string {
  if (events.length === 0) return 'only of jobs that name it';
  const words = events.map((event) => {
    const isLong = event === 'long-running' && longMs !== null;
    return isLong ? `runs over ${formatDuration(longMs)}` : eventWords[event];
  });
  return `${words.join(', ')} of every job`;
}

function TargetActions({ isMuted, onChange, target }: RowProps): JSX.Element {
  const name = showLine(target.name);
  const muted = { kind: 'target', name: target.name } as const;
  const then = (act: () => Promise<void>) => async () => {
    await act();
    onChange();
  };
  return (
    <>
      <Action needs="admin" label={`Send a test to ${name}`} onAct={then(() => testTarget(target))}>
        Test
      </Action>
      {target.givenUp > 0 && (
        <Action
          needs="admin"
          label={`Send what was given up to ${name} again`}
          onAct={then(() => retryTarget(target))}
        >
          Send again
        </Action>
      )}
      <Action
        needs="admin"
        label={`${isMuted ? 'Unmute' : 'Mute'} ${name}`}
        onAct={then(() => (isMuted ? unmute(muted) : mute(muted)))}
      >
        {isMuted ? 'Unmute' : 'Mute'}
      </Action>
      <Action needs="admin" label={`Change ${name}`} onAct={then(() => changeTarget(target))}>
        Change
      </Action>
      <Action
        needs="admin"
        kind="danger"
        label={`Remove ${name}`}
        onAct={then(() => removeTarget(target))}
      >
        Remove
      </Action>
    </>
  );
}
