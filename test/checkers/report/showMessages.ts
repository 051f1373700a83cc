import { isLaunchEnd } from '../../../src/domain/commit/nodeActivity.ts';
import type { Evidence } from '../evidence.ts';
import type { RunMessages } from './runMessages.ts';

/** Which actor said what to which of launches; plain JSON, in seconds since the history began. */
export interface ShownMessages {
  /** Each once: from whom, to whom, the message, the state of the slot after it. */
  readonly kinds: readonly (readonly [string | null, string, string, string | null])[];
  readonly launches: Readonly<Record<string, ShownLaunch>>;
}

interface ShownLaunch {
  /** When, and the place of its kind. */
  readonly said: readonly (readonly [number, number])[];
  /** Why there are none, or no more; null: it is all. */
  readonly gap: string | null;
}

/** So many launches at most, about a hundred bytes each, so that the page opens at once. */
const launchesMax = 5_000;

/** @param launchIds of which launches, the most wanted first */
export function showMessages(
  evidence: Evidence,
  messages: RunMessages,
  launchIds: readonly string[],
  seconds: (atMs: number) => number,
): ShownMessages {
  const { clock, history, trails } = evidence;
  const kinds = new Map<string, number>();
  const shown = [...new Set(launchIds)].slice(0, launchesMax).map((launchId) => {
    const claimMs = trails.launches.get(launchId)?.claim.earliestMs ?? history.about.startedMs;
    const { messages: all = [] } = messages.launches[launchId] ?? {};
    const said = all.map(({ atMs, from, to, event, state }): [number, number] => {
      const kind = JSON.stringify([from, to, event, state]);
      const place = kinds.get(kind) ?? kinds.size;
      kinds.set(kind, place);
      const whenMs = Math.min(clock.firstReachedMs(atMs, claimMs), history.about.readMs);
      return [seconds(whenMs), place];
    });
    const gap = gapOf(evidence, messages, launchId, seconds);
    return [launchId, { said, gap }] as const;
  });
  return {
    kinds: [...kinds.keys()].map((kind) => JSON.parse(kind) as ShownMessages['kinds'][number]),
    launches: Object.fromEntries(shown),
  };
}

/** What a node has in memory is lost with it, and it keeps few launches there. */
function gapOf(
  { clock, history, nodeOf, trails }: Evidence,
  { launches, leftOut, sessions }: RunMessages,
  launchId: string,
  seconds: (atMs: number) => number,
): string | null {
  const reported = launches[launchId];
  if (reported?.messages.some(isLaunchEnd)) return null;
  const trail = trails.launches.get(launchId);
  const sessionId = trail?.sessionId ?? launchId.split(':', 1)[0] ?? '';
  const lastDatabaseMs = sessions[sessionId] ?? Number.NEGATIVE_INFINITY;
  const isLater =
    reported === undefined
      ? clock.firstReachedMs(lastDatabaseMs) > (trail?.claim.earliestMs ?? 0)
      : lastDatabaseMs > reported.reportedDatabaseMs;
  if (isLater && reported !== undefined) return 'newer launches took its place in later reports';
  if (isLater) {
    const others = 'its node reported others and not this one: newer ones had taken its place';
    const orLeft = leftOut > 0 ? ', or it was among the oldest, which the run left out' : '';
    return `${others}, or it never heard of its claim${orLeft}`;
  }
  const what = reported === undefined ? 'them' : 'more';
  const life = history.lives.find((each) => each.sessionId === sessionId);
  if (life?.endedMs != null) {
    const end = life.ending === 'killed' ? 'was killed' : 'ended';
    return `its node ${end} at ${seconds(life.endedMs)} s, before it reported ${what}`;
  }
  const endedMs = trails.sessions.get(sessionId)?.ended?.earliestMs;
  const node = nodeOf(sessionId) ?? 'its node';
  if (endedMs !== undefined) {
    return `its session was ended at ${seconds(endedMs)} s, before ${node} reported ${what}`;
  }
  return `${node} had not reported ${what} when all was read`;
}
