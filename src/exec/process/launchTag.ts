import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The environment variable that marks every process of a launch: its fencing token. */
export const markName = 'STATECRON_LAUNCH_ID';

/** Set to `finish` in every process that a fence leaves alone. */
export const onFenceName = 'STATECRON_ON_FENCE';

/**
 * What every process of a launch inherits, whatever it does to its environment, session or user:
 * its limit of file locks (RLIMIT_LOCKS), which Linux keeps, shows to everybody and has not
 * enforced since 2.4.25. The hard limit stands for the session, the soft one for the launch. The
 * launcher sets it; where it may not (below another launcher, not root), or where Node itself
 * spawns, marks and descent have to do.
 */
export interface LaunchTag {
  readonly session: string;
  /** The number at the end of the launch's id. */
  readonly launch: number;
}

/** The number of a session, in decimal: 60 bits that look like no limit that anybody sets. */
export function sessionTag(sessionId: string): string {
  const digits = createHash('sha256').update(sessionId).digest('hex').slice(0, 15);
  return String((1n << 60n) + BigInt(`0x${digits}`));
}

/** The number of a launch: the digits at the end of its id; 0: it has none. */
export function launchNumber(launchId: string): number {
  return Number(/\d{1,15}$/.exec(launchId)?.[0] ?? 0);
}

/** The tag of what descends from a launch. */
export function tagOfLaunch(launchId: string): LaunchTag {
  const sessionId = launchId.slice(0, launchId.lastIndexOf(':'));
  return { session: sessionTag(sessionId), launch: launchNumber(launchId) };
}

/** The tag of a process; null: it has none, or is gone. */
export function readTag(pid: number): LaunchTag | null {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
    const [, launch = '', session = ''] = /^Max file locks +(\d+) +(\d+) /m.exec(limits) ?? [];
    return session === '' ? null : { session, launch: Number(launch) };
  } catch {
    return null; // It has ended.
  }
}
