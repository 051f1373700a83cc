import type { JSX } from 'preact';
import type { Answer, CallInput } from '../../api/callApi.ts';
import type { Resource } from '../../api/useResource.ts';
import { Choice, Condition } from '../../parts/choice.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { type Status, StatusBadge } from '../../parts/statusBadge.tsx';
import { Time, Until, Zoned } from '../../parts/timeText.tsx';
import { changeQuery, linkTo } from '../../state/place.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

type Log = Answer<'GET /notify/log'>;
type Notification = Log['items'][number];
type Conditions = Pick<NonNullable<CallInput<'GET /notify/log'>['query']>, 'state' | 'target'>;

const states: Readonly<Record<Notification['state'], { status: Status; word: string }>> = {
  waiting: { status: 'waiting', word: 'waiting' },
  sent: { status: 'succeeded', word: 'sent' },
  digested: { status: 'skipped', word: 'sent together' },
  dropped: { status: 'ended', word: 'moot' },
  muted: { status: 'paused', word: 'muted' },
  given_up: { status: 'failed', word: 'given up' },
};

const choices = {
  '': 'in any state',
  ...Object.fromEntries(Object.entries(states).map(([state, { word }]) => [state, word])),
};

/** What the URL says of which are shown, as the API takes it. */
export function readLogConditions(query: URLSearchParams): Conditions {
  const [state, target] = [query.get('state') ?? '', query.get('target')];
  return {
    ...(target ? { target } : {}),
    ...(state in states ? { state: state as Notification['state'] } : {}),
  };
}

interface LogProps {
  readonly log: Resource<Log>;
  /** Null: these are all that are kept. */
  readonly onMore: (() => void) | null;
}

/** What was sent, what waits, and what was not sent. */
export function NotificationLog({ log, onMore }: LogProps): JSX.Element {
  const tools = (
    <span class="log-tools">
      <Condition name="target" label="target" />
      <Choice name="state" label="State" choices={choices} />
    </span>
  );
  return (
    <Section title={<Zoned title="Log" />} tools={tools}>
      <Loaded of={log} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">None matches, or it is not kept any more.</p>
          ) : (
            <>
              <p class="log-heads" aria-hidden="true">
                {['State', 'When', 'Event', 'Of what', 'Target'].map((head) => (
                  <span key={head}>{head}</span>
                ))}
              </p>
              <ol class="log">
                {items.map((item) => (
                  <LogEntry key={item.id} item={item} />
                ))}
              </ol>
            </>
          )
        }
      </Loaded>
      {onMore !== null && (
        <button type="button" class="button plain" onClick={onMore}>
          Show older ones
        </button>
      )}
    </Section>
  );
}

function LogEntry({ item }: { readonly item: Notification }): JSX.Element {
  const { createdAt, event, facts, state, target, tries } = item;
  return (
    <li>
      <StatusBadge {...states[state]} />
      <span class="number">
        <Time at={createdAt} />
      </span>
      <span>{event.replace('-', ' ')}</span>
      <span class="about">
        <About facts={facts} />
        <Trouble item={item} />
      </span>
      <span class="to">
        <button
          type="button"
          class="chip"
          title={`Only those to ${showLine(target)}`}
          onClick={() => changeQuery({ target })}
        >
          {showLine(target)}
        </button>
        {tries > 1 && <span class="quiet">{countOf(tries, 'try', 'tries')}</span>}
      </span>
    </li>
  );
}

function About({ facts }: { readonly facts: Notification['facts'] }): JSX.Element | null {
  const { counts, job, launchId, node = '' } = facts;
  if (counts !== undefined) {
    const words = Object.entries(counts).map(([event, count]) => `${formatCount(count)} ${event}`);
    return <span>{showLine(words.join(', '))}</span>;
  }
  if (job === undefined) return node === '' ? null : <span>{showLine(node)}</span>;
  return (
    <>
      <a href={linkTo(['jobs', job])} data-row>
        {showLine(job)}
      </a>
      {launchId !== undefined && <a href={linkTo(['runs', launchId])}>Show the run</a>}
    </>
  );
}

/** Why it was not sent, and when it is tried again. */
function Trouble({ item: { dueAt, lastError, state, tries } }: { readonly item: Notification }) {
  if (lastError === null) return null;
  return (
    <span class="quiet">
      {showLine(lastError)}
      {state === 'waiting' && tries > 0 && (
        <>
          , next try <Until at={dueAt} />
        </>
      )}
    </span>
  );
}
