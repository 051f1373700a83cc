import type { JSX } from 'preact';
import type { Session } from '../../nodes/session.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { TextWithTimes, Time, Took, ZoneName } from '../../parts/timeText.tsx';
import { Word } from '../../parts/word.tsx';
import { meaningOf } from '../../text/meanings.ts';
import { showLine } from '../../text/showControls.ts';

/** So many are shown, the last first. */
const shownMax = 50;

interface EndedProps {
  readonly sessions: readonly Session[];
  readonly title: string;
}

/** Lives of nodes that are over, and why. */
export function EndedSessions({ sessions, title }: EndedProps): JSX.Element {
  const ended = sessions
    .filter(({ state }) => state === 'ended')
    .sort((a, b) => (b.endedAt ?? '').localeCompare(a.endedAt ?? ''));
  const more = ended.length - shownMax;
  return (
    <Section title={<Word text={title} meaning={meaningOf('session')} />}>
      {ended.length === 0 ? (
        <p class="quiet">None in this time.</p>
      ) : (
        <Scrolls label="Sessions that ended">
          <table>
            <thead>
              <tr>
                <th scope="col">
                  Ended (<ZoneName />)
                </th>
                <th scope="col">Node</th>
                <th scope="col">Lived</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>{ended.slice(0, shownMax).map(sessionRow)}</tbody>
          </table>
        </Scrolls>
      )}
      {more > 0 && <p class="quiet">There are {more} more.</p>}
    </Section>
  );
}

function sessionRow({ endedAt, endedWhy, node, sessionId, startedAt }: Session): JSX.Element {
  return (
    <tr key={sessionId}>
      <td class="nowrap number">
        <Time at={endedAt} />
      </td>
      <td class="nowrap">{showLine(node)}</td>
      <td class="nowrap">
        <Took from={startedAt} to={endedAt} />
      </td>
      <td class="wide">
        <TextWithTimes text={endedWhy ?? ''} />
      </td>
    </tr>
  );
}
