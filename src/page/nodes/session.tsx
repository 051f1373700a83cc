import type { JSX } from 'preact';
import type { Answer } from '../api/callApi.ts';
import type { Status } from '../parts/statusBadge.tsx';
import { formatAge } from '../text/formatDuration.ts';
import { showLine } from '../text/showControls.ts';

/** One life of a node. */
export type Session = Answer<'GET /cluster'>['sessions'][number];

/** Of each node its present session, or the last one that ended lately. */
export function newestSessions(sessions: readonly Session[]): readonly Session[] {
  const newest = new Map<string, Session>();
  for (const session of sessions) {
    const known = newest.get(session.node);
    if (known === undefined || session.startedAt > known.startedAt) {
      newest.set(session.node, session);
    }
  }
  return [...newest.values()].sort((a, b) => a.level - b.level || a.node.localeCompare(b.node));
}

/** A live node that was silent for more than this share of its TTL has missed renewals. */
const silentShare = 0.2;

type NodeState = Pick<Session, 'isDraining' | 'state'> & Partial<Pick<Session, 'cordon'>>;

export function stateOfNode({ cordon = null, isDraining, state }: NodeState): Status {
  if (state === 'ended') return 'ended';
  if (cordon !== null) return 'cordoned';
  return isDraining ? 'draining' : 'live';
}

/** How long ago it renewed its lease, or why it ended. */
export function Renewed({ session }: { readonly session: Session }): JSX.Element {
  const { endedWhy, renewedAgoMs, state, ttlMs } = session;
  if (state === 'ended') return <span class="quiet">{showLine(endedWhy ?? '')}</span>;
  const age = formatAge(renewedAgoMs);
  if (renewedAgoMs < ttlMs * silentShare) return <span>{age} ago</span>;
  return (
    <span class="status doubt">
      silent for {age} of {formatAge(ttlMs)}
    </span>
  );
}
