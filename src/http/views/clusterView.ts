import type { Role } from '../../domain/access/role.ts';
import { grainCount, noShare, type Share, stripesOfShare } from '../../domain/run/share.ts';
import { dealStripes } from '../../domain/targeting/dealStripes.ts';
import type { LiveNode } from '../../domain/targeting/nodeFacts.ts';
import { allWarnings, type ClusterShown } from '../../store/cluster/clusterView.ts';
import type { HeldNode } from '../../store/cluster/holdNode.ts';
import type { ClusterView, HeldNodeView } from '../contract/clusterContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';

/** Who may see what of it; null: every group. */
export interface Viewer {
  readonly groups: readonly string[] | null;
  readonly role: Role;
}

/**
 * The cluster, with the share of the slots that each live session looks ahead on. Whoever may not
 * see all jobs gets the number of those that cannot run, and no names; targets of notifications are
 * an admin's to know.
 */
export function clusterView(cluster: ClusterShown, { groups, role }: Viewer): ClusterView {
  const live = cluster.sessions.filter(({ state }) => state === 'live');
  const dealt = live.map((session): LiveNode => ({ ...session, nodeName: session.node }));
  const shareOf = (sessionId: string): Share =>
    dealt.some((session) => session.sessionId === sessionId)
      ? dealStripes(sessionId, dealt)
      : noShare;
  const { jobs, names } = cluster.unrunnable;
  const seesAllJobs = groups === null;
  const seesTargets = seesAllJobs && role === 'admin';
  return {
    now: isoOf(cluster.nowMs),
    jobs: cluster.jobs,
    overdue: cluster.overdue,
    unrunnable: { jobs, names: seesAllJobs ? names : [] },
    warnings: allWarnings({
      warnings: cluster.warnings,
      jobWarnings: seesAllJobs ? cluster.jobWarnings : [],
      targetWarnings: seesTargets ? cluster.targetWarnings : [],
    }),
    pauses: seesAllJobs
      ? cluster.pauses.map(({ sinceMs, together = null, untilMs, ...pause }) => {
          return { ...pause, together, since: isoOf(sinceMs), until: isoOrNull(untilMs) };
        })
      : [],
    sessions: cluster.sessions.map(({ startedMs, endedMs, ...shown }) => {
      const { cordonedMs, cordonedBy, cordonNote, isCordoned: _, ...session } = shown;
      const share = shareOf(session.sessionId);
      const who = { by: cordonedBy ?? '', note: cordonNote ?? '' };
      return {
        ...session,
        cordon: cordonedMs === null ? null : { since: isoOf(cordonedMs), ...who },
        startedAt: isoOf(startedMs),
        endedAt: isoOrNull(endedMs),
        stripes: stripesOfShare(share),
        share: (share.until - share.from) / grainCount,
      };
    }),
  };
}

/** A node that was cordoned, drained or uncordoned. */
export function heldNodeView({ cordon, isChanged, nodeName, ...held }: HeldNode): HeldNodeView {
  const { sinceMs, ...who } = cordon ?? { sinceMs: 0, by: '', note: '' };
  const shown = cordon === null ? null : { since: isoOf(sinceMs), ...who };
  return { node: nodeName, cordon: shown, changed: isChanged, ...held };
}
