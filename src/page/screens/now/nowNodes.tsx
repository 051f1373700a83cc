import type { JSX } from 'preact';
import type { Answer } from '../../api/callApi.ts';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { formatDuration } from '../../text/formatDuration.ts';
import { showLine } from '../../text/showControls.ts';

type Session = Answer<'GET /cluster'>['sessions'][number];

/** A live node that was silent for more than this share of its TTL may be in trouble. */
const silentShare = 0.5;

/** The nodes, each once: its present session, or the last one that ended lately. */
export function NowNodes({ sessions }: { readonly sessions: readonly Session[] }): JSX.Element {
  const newest = new Map<string, Session>();
  for (const session of sessions) {
    const known = newest.get(session.node);
    if (known === undefined || session.startedAt > known.startedAt) {
      newest.set(session.node, session);
    }
  }
  const nodes = [...newest.values()].sort(
    (a, b) => a.level - b.level || a.node.localeCompare(b.node),
  );
  return (
    <Section title="Nodes">
      <Scrolls label="Nodes">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">State</th>
              <th scope="col">Level</th>
              <th scope="col">Running</th>
              <th scope="col">Prepared</th>
              <th scope="col">Lease renewed</th>
              <th scope="col">Version</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((session) => (
              <tr key={session.sessionId}>
                <td>
                  <strong>{showLine(session.node)}</strong>
                </td>
                <td class="nowrap">
                  <StatusBadge status={stateOf(session)} />
                </td>
                <td class="number">{session.level}</td>
                <td class="number nowrap">
                  {session.executing} of {session.concurrency}
                </td>
                <td class="number">{session.prepared}</td>
                <td class="number nowrap">
                  <Renewed session={session} />
                </td>
                <td class="nowrap quiet">{showLine(session.version)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </Section>
  );
}

function stateOf({ isDraining, state }: Session): 'live' | 'draining' | 'ended' {
  if (state === 'ended') return 'ended';
  return isDraining ? 'draining' : 'live';
}

function Renewed({ session }: { readonly session: Session }): JSX.Element {
  const { endedWhy, renewedAgoMs, state, ttlMs } = session;
  if (state === 'ended') return <span class="quiet">{showLine(endedWhy ?? '')}</span>;
  const ago = `${formatDuration(Math.round(renewedAgoMs / 1_000) * 1_000)} ago`;
  return <span class={renewedAgoMs < ttlMs * silentShare ? '' : 'status doubt'}>{ago}</span>;
}
