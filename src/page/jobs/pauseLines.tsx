import type { JSX } from 'preact';
import { resumeTogether } from '../acts/bulkActs.tsx';
import type { Answer } from '../api/callApi.ts';
import { Action } from '../parts/action.tsx';
import { Time, ZoneName } from '../parts/timeText.tsx';
import { linkTo } from '../state/place.ts';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';

type Pause = Answer<'GET /cluster'>['pauses'][number];

interface LineProps {
  readonly pauses: readonly Pause[];
  onChange(): void;
}

/** The pauses of many jobs, each with its end, its reason and the way to end it. */
export function PauseLines({ onChange, pauses }: LineProps): JSX.Element {
  return (
    <>
      {pauses.map((pause) => (
        <p key={pause.warning} class="pause-line">
          <span>
            {countOf(pause.jobs, 'job is', 'jobs are')} paused by {showLine(pause.by)}{' '}
            <PausedUntil until={pause.until} resumed="they are resumed" />
            {pause.note !== '' && `: ${showLine(pause.note)}`}
          </span>
          <a href={linkTo(['jobs'], { state: 'paused', reason: pause.reason })}>Show them</a>
          {pause.together !== null && <Resume filter={pause.together} onChange={onChange} />}
        </p>
      ))}
    </>
  );
}

interface UntilProps {
  readonly until: string | null;
  /** How it ends where it has no end. */
  readonly resumed: 'it is resumed' | 'they are resumed';
}

export function PausedUntil({ resumed, until }: UntilProps): JSX.Element {
  if (until === null) return <>until {resumed}</>;
  return (
    <>
      until <Time at={until} /> <ZoneName />
    </>
  );
}

interface ResumeProps {
  readonly filter: NonNullable<Pause['together']>;
  onChange(): void;
}

function Resume({ filter: { group, tag }, onChange }: ResumeProps): JSX.Element {
  const filter = { ...(group && { group: [group] }), ...(tag && { tag: [tag] }) };
  return (
    <Action
      icon="resume"
      needs="operator"
      onAct={async () => {
        if (await resumeTogether(filter)) onChange();
      }}
    >
      Resume them
    </Action>
  );
}
