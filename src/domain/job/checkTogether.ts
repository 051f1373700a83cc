import type { DefinitionFault } from './checkFields.ts';
import { jobFields } from './fields.ts';
import { type Upstream, upstreamEnds } from './fieldTable/upstream.ts';
import type { JobDefinition } from './jobDefinition.ts';
import { checkSecretEnv } from './secretEnv.ts';
import { nameAndPart } from './storedOf.ts';

/** A fault of a field that has to do with others, or null. */
type Finding = readonly [field: string, message: string] | null;
type Check = (definition: Partial<JobDefinition>) => Finding | readonly Finding[];

/** What the fields of a definition say against each other, or in more than their kinds tell. */
export function checkTogether(
  definition: Partial<JobDefinition>,
  by: 'writer' | 'node',
): DefinitionFault[] {
  const findings = (by === 'writer' ? [...forAll, ...forWriters] : forAll).flatMap((check) => {
    const found = check(definition);
    return found === null || typeof found[0] === 'string' ? [found as Finding] : found;
  }) as Finding[];
  return findings.flatMap((found) =>
    found === null ? [] : [{ field: found[0], message: found[1] }],
  );
}

const checkParallel: Check = ({ overlap, parallel = 1 }) =>
  parallel > 1 && overlap !== undefined
    ? ['parallel', `launches side by side leave nothing to ${overlap}`]
    : null;

const checkDeadline: Check = ({ splayMs = 0, startDeadlineMs }) =>
  startDeadlineMs !== undefined && startDeadlineMs <= splayMs
    ? ['startDeadlineMs', `is over before the splay of ${splayMs} ms is`]
    : null;

const checkCatchUp: Check = ({ catchUpMs, misfire }) =>
  misfire === 'skip' && catchUpMs !== undefined
    ? ['catchUpMs', 'says how much is made up for, but the misfire policy is skip']
    : null;

const checkRetry: Check = ({ retry }) =>
  retry !== undefined && retry.delayMsMax < retry.delayMs
    ? ['retry.delayMsMax', 'is less than the first delay']
    : null;

/** A list that this version does not know is a fault too: it may be an exclusion. */
const checkTarget: Check = ({ target }) => {
  if (target === undefined) return null;
  if (typeof target !== 'object' || target === null || Array.isArray(target)) {
    return ['target', 'is no object of lists'];
  }
  const lists = Object.keys(target);
  if (lists.length === 0) return ['target', 'names nothing: take it away'];
  return lists.map((list) =>
    targetLists.has(list) ? null : ['target', `has ${list}, which this version does not know`],
  );
};

const targetLists = new Set(
  jobFields.flatMap(({ stored }) => {
    const [name, part] = nameAndPart(stored);
    return name === 'target' && part !== undefined ? [part] : [];
  }),
);

const checkNotify: Check = ({ notify }) => {
  if (notify === undefined) return null;
  const { on = [], to = [], ping = [], longMs } = notify;
  const isLong = on.includes('long-running');
  return [
    on.length > 0 && to.length === 0 ? ['notify.to', 'names nobody: who is notified?'] : null,
    to.length > 0 && on.length === 0 ? ['notify.on', 'names nothing: notified of what?'] : null,
    ping.some((name) => to.includes(name))
      ? ['notify.ping', 'has a target that is notified as well']
      : null,
    isLong && longMs === undefined ? ['notify.longMs', 'is missing: how long is too long?'] : null,
    !isLong && longMs !== undefined
      ? ['notify.longMs', 'says how long, but long-running is no event of it']
      : null,
  ];
};

const checkSecrets: Check = ({ env = {}, secretEnv = {} }) => {
  const message = checkSecretEnv({ env, secretEnv });
  return message === null ? null : ['secretEnv', message];
};

/** Whether the upstream jobs are there, and go round in no circle, is the database's to say. */
const checkUpstreams: Check = ({ after, name }) => {
  if (!Array.isArray(after)) return null;
  const seen = new Set<string>();
  return after.map((upstream: Partial<Upstream> | null): Finding => {
    const { job, on } = upstream ?? {};
    if (typeof job !== 'string' || job === '') return ['after', 'a job is missing its name'];
    const shown = JSON.stringify(job);
    if (on === undefined || !Object.hasOwn(upstreamEnds, on)) {
      const allowed = Object.keys(upstreamEnds).join(', ');
      return ['after', `${shown} is followed on ${JSON.stringify(on)}; allowed are ${allowed}`];
    }
    if (job === name) return ['after', `${shown} would follow itself`];
    // Two edges to one job would start two launches for one end that both are about.
    if (seen.size === seen.add(job).size) {
      return ['after', `${shown} is named twice; "end" stands for success and failure`];
    }
    return null;
  });
};

const checkTags: Check = ({ tags }) =>
  Array.isArray(tags) && new Set(tags).size < tags.length ? ['tags', 'names a tag twice'] : null;

const forAll = [checkParallel, checkDeadline, checkCatchUp, checkRetry, checkTarget, checkNotify];
const forWriters = [checkSecrets, checkUpstreams, checkTags];
