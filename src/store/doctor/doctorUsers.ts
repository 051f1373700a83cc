import { reasons } from '../../domain/reasons/reasons.ts';
import { isTickOnly, lastResults, type RunResult } from '../../domain/run/run.ts';
import type { Channel } from '../connection/channel.ts';
import { listJobs } from '../jobs/listJobs.ts';
import { pageOfRuns } from '../runs/pageOfRuns.ts';
import { readLiveNodes } from '../targeting/readLiveNodes.ts';
import { type Check, checkOf } from './doctorCheck.ts';

/**
 * Jobs that run as a user of their own. Whether it has the account, and of earlier releases whether
 * it allows the user, a node alone knows, so that what the last run of each came to is looked at.
 * Nothing where no job names a user.
 */
export async function checkUsers(channel: Channel): Promise<Check[]> {
  const users = new Set<string>();
  const refused: string[] = [];
  for await (const { name, definition, last } of listJobs(channel, { jobsMax: 1_000_000 })) {
    const { user } = definition;
    if (user === undefined) continue;
    users.add(user);
    if (!mayHaveFailed(last?.result) || refused.length === shownMax) continue;
    const results = lastResults;
    const { runs } = await pageOfRuns(channel, { job: name, results, after: null, runsMax: 1 });
    const { node = null, reason = null } = runs[0] ?? {};
    if (reason === null || !refusals(user).includes(reason)) continue;
    refused.push(`${name}${node === null ? '' : ` on ${node}`}: ${reason}`);
  }
  if (users.size === 0) return [];
  const check = 'users of jobs';
  const nowhere = await allowedNowhere(channel, users);
  if (nowhere.length > 0) {
    const message = `no live node allows jobs of ${nowhere.join(', ')}: their ticks wait`;
    const allow = 'Start a node with --allow-user, as root. See: statecron docs production';
    return [checkOf(check, false, message, allow, 'warn')];
  }
  const hint = 'Or name other nodes: job edit NAME --on-node. See: statecron docs production';
  return refused.length > 0
    ? refused.map((message) => checkOf(check, false, message, hint, 'warn'))
    : [
        checkOf(
          check,
          true,
          `no node refused the last run of a job for its user: ${[...users].sort().join(', ')}`,
          null,
        ),
      ];
}

/** Those whom none of the live nodes allows; none where one of an earlier release does not say. */
async function allowedNowhere(channel: Channel, users: ReadonlySet<string>): Promise<string[]> {
  const { nodes } = await readLiveNodes(channel);
  if (nodes.length === 0 || nodes.some((node) => node.users === null)) return [];
  const allowed = new Set(nodes.flatMap((node) => node.users ?? []));
  return [...users].filter((user) => !allowed.has(user)).sort();
}

const shownMax = 5;

/** A tick that was passed since, as those of an observed job are, says nothing of its user. */
function mayHaveFailed(result: RunResult | undefined): boolean {
  return result !== undefined && (result === 'failed' || isTickOnly(result));
}

function refusals(user: string): string[] {
  const { notRoot, userNotAllowed, userNeedsPerl, userUnknown } = reasons;
  return [notRoot, userNotAllowed, userNeedsPerl, userUnknown].map((reason) => reason(user));
}
