import { sessionLockId } from '../../run/stripes.ts';
import { type FindingLog, instantText } from '../rules/finding.ts';
import type { SessionRecord } from '../rules/records.ts';
import { isStale } from '../rules/verifyScope.ts';

/** The live sessions: each renewed recently, no two of one node's name. Warnings. */
export function checkSessions(
  sessions: readonly SessionRecord[],
  nowMs: number,
  log: FindingLog,
): void {
  const live = sessions.filter(({ isLive }) => isLive);
  const idByNode = new Map<string, string>();
  for (const session of live) {
    const { nodeName, sessionId, renewedMs } = session;
    if (isStale(session, nowMs)) {
      const message = `${nodeName} is live, and renewed its session last ${instantText(renewedMs)}`;
      log.add('session_stale', null, message);
    }
    const twin = idByNode.get(nodeName);
    if (twin !== undefined) {
      const message = `${nodeName} has two live sessions: ${twin} and ${sessionId}`;
      log.add('session_twin', null, message);
    }
    idByNode.set(nodeName, sessionId);
  }
}

/** Every lock row that there must be, 64 stripes and one for sessions. */
export function checkLockRows(lockIds: readonly number[], log: FindingLog): void {
  const there = new Set(lockIds);
  for (let lockId = 0; lockId <= sessionLockId; lockId += 1) {
    if (there.has(lockId)) continue;
    const which = lockId === sessionLockId ? 'session management' : `the jobs of stripe ${lockId}`;
    log.add('lock_row_missing', null, `the lock row ${lockId} is missing: ${which}`);
  }
}
