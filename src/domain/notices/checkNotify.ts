import type { JobPolicies } from '../jobPolicies.ts';
import { noticeEvents } from './notice.ts';
import { checkLong, checkTargetName } from './noticeTarget.ts';

interface NotifyFault {
  readonly field: 'notify';
  readonly message: string;
}

/** Each target of a job costs a row for each notice. */
const jobTargetsMax = 10;

/**
 * Everything that is wrong with whom a job tells of what. Faults begin with the part at fault:
 * `on`, `to`, `longMs` or `ping`. Whether a target is there is the database's to know.
 */
export function checkNotify({ notify }: Pick<JobPolicies, 'notify'>): NotifyFault[] {
  if (notify === undefined) return [];
  const { on, to, ping = [], longMs } = notify;
  const isLong = on.includes('long-running');
  const unknown = on.find((event) => !noticeEvents.includes(event));
  const messages = [
    unknown === undefined ? null : `on ${unknown} is none of ${noticeEvents.join(', ')}`,
    on.length > 0 && to.length === 0 ? 'to says nobody: who is told?' : null,
    to.length > 0 && on.length === 0 ? 'on says nothing: of what are they told?' : null,
    ...to.map((name) => prefix('to', checkTargetName(name))),
    ...ping.map((name) => prefix('ping', checkTargetName(name))),
    to.length > jobTargetsMax ? `to has more than ${jobTargetsMax} targets` : null,
    ping.length > jobTargetsMax ? `ping has more than ${jobTargetsMax} targets` : null,
    ping.some((name) => to.includes(name)) ? 'ping has a target that is in to as well' : null,
    isLong && longMs === undefined ? 'longMs is missing: how long is too long?' : null,
    !isLong && longMs !== undefined ? 'longMs says how long, but on has no long-running' : null,
    longMs === undefined ? null : prefix('longMs', checkLong(longMs)),
  ];
  return messages.flatMap((message) => (message === null ? [] : [{ field: 'notify', message }]));
}

function prefix(part: string, message: string | null): string | null {
  return message === null ? null : `${part} ${message}`;
}
