import { reasons } from '../reasons/reasons.ts';
import { listed } from '../text/listed.ts';
import { shellWord } from '../text/quoteForShell.ts';
import { type Check, failed, passed, unknown } from './check.ts';
import { reasonNow } from './forecastClaims.ts';
import { type JudgedNode, takersOf } from './judgeNodes.ts';
import type { JobFacts, WhyFacts } from './whyFacts.ts';

/** Whether nodes run jobs as the user that it names, as they say themselves or a run has shown. */
export function userCheck(facts: WhyFacts, nodes: readonly JudgedNode[]): Check {
  const { definition, last } = facts.job;
  const { user } = definition;
  if (user === undefined || user === null) {
    return passed('user', 'It runs as the user of the node.');
  }
  const live = nodes.filter(({ session }) => session?.state === 'live');
  const meant = live.filter(({ keptBy }) => keptBy.every(({ by }) => by !== 'target'));
  const asked = meant.length > 0 ? meant : live;
  const known = asked.filter(({ session }) => session !== null && session.users !== null);
  // The placement of a job that an earlier release has written says nothing of its user.
  const isKnown = asked.length > 0 && known.length === asked.length;
  const isTold = isKnown && facts.place.placement.user !== undefined;
  const refusals: readonly string[] = isTold
    ? [reasons.userUnknown(user)]
    : [
        ...[reasons.notRoot(user), reasons.userNotAllowed(user)],
        ...[reasons.userNeedsPerl(user), reasons.userUnknown(user)],
      ];
  const runLink = last?.launchId ? `/api/v1/runs/${encodeURIComponent(last.launchId)}` : null;
  const refused = refusals.find((reason) => last?.reason?.includes(reason));
  if (refused !== undefined) {
    const text = last?.node ? named(refused, last.node) : refused;
    return failed('user', text, { reason: refused, link: runLink });
  }
  return isTold
    ? checkTold(facts, user, asked, meant.length > 0)
    : checkRun(last, user, takersOf(nodes));
}

/** The command that makes a node run jobs as the user. */
export function allowHint(user: string): string {
  const flag = `--allow-user ${shellWord(user)}`;
  return `statecron node ${flag} (as root; as a service: statecron docs production)`;
}

/** Of nodes that all say it. */
function checkTold(
  facts: WhyFacts,
  user: string,
  asked: readonly JudgedNode[],
  areMeant: boolean,
): Check {
  const allows = ({ session }: JudgedNode) => session?.users?.includes(user) === true;
  const namesOf = (nodes: readonly JudgedNode[]) => listed(nodes.map(({ node }) => node));
  const [allowing, others] = [asked.filter(allows), asked.filter((node) => !allows(node))];
  if (allowing.length > 0) {
    const not = others.length === 0 ? '' : `; not on ${namesOf(others)}`;
    const text = `The user ${user} is allowed on ${namesOf(allowing)}${not}.`;
    return passed('user', text, { link });
  }
  const isForSome = areMeant && facts.place.placement.target !== undefined;
  const none = `No live node${isForSome ? ' that it is for' : ''} allows the user ${user}`;
  return failed('user', `${none}: ${namesOf(others)}.`, {
    ...{ reason: reasonNow(facts), link, hint: allowHint(user) },
  });
}

const link = '/api/v1/cluster';

/** Of nodes of earlier releases, which do not say it. */
function checkRun(last: JobFacts['last'], user: string, takers: readonly JudgedNode[]): Check {
  const hasRun = last?.startedMs != null && last.result !== 'not_started';
  const ran = hasRun ? `Its last run ran as ${user}${last.node ? ` on ${last.node}` : ''}` : null;
  const others = takers.filter(({ node }) => ran === null || node !== last?.node);
  if (ran !== null && others.length === 0) return passed('user', `${ran}.`);
  const starts = `it starts on those that run as root with --allow-user ${shellWord(user)}`;
  const how = 'a run shows whether they do (statecron job run --wait)';
  const names = listed(others.map(({ node }) => node));
  const known = ran === null ? '' : `${ran}; whether it does on ${names} is not known. `;
  return unknown('user', `${known}Nodes do not say which users they allow: ${starts}; ${how}.`);
}

/** What a node says of itself, said of it by name. */
function named(reason: string, node: string): string {
  return reason.replace('this node', `the node ${node}`).replace(/ here(?=:)/, ` on ${node}`);
}
