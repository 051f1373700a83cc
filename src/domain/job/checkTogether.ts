import type { DefinitionFault } from './checkFields.ts';
import { jobFields } from './fields.ts';
import { type Upstream, upstreamEnds } from './fieldTable/upstream.ts';
import type { JobDefinition } from './jobDefinition.ts';
import { checkSecretEnv } from './secretEnv.ts';

/** What is wrong with each field in view of the others; `false`: nothing is. */
type Rules = Readonly<
  Record<string, (definition: Partial<JobDefinition>) => string | false | readonly string[]>
>;

/** What the fields of a definition say against each other, or beyond their kinds. */
export function checkTogether(
  definition: Partial<JobDefinition>,
  by: 'writer' | 'node',
): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  for (const [field, messagesOf] of by === 'writer' ? ofWriters : ofAll) {
    for (const message of [messagesOf(definition)].flat()) {
      if (message) faults.push({ field, message });
    }
  }
  return faults;
}

const noNotify: NonNullable<JobDefinition['notify']> = { on: [], to: [] };

const rulesForAll: Rules = {
  parallel: ({ overlap, parallel = 1 }) =>
    parallel > 1 && overlap !== undefined && `launches side by side leave nothing to ${overlap}`,
  startDeadlineMs: ({ splayMs = 0, startDeadlineMs = Number.POSITIVE_INFINITY }) =>
    startDeadlineMs <= splayMs && `is over before the splay of ${splayMs} ms is`,
  catchUpMs: ({ catchUpMs, misfire }) =>
    misfire === 'skip' &&
    catchUpMs !== undefined &&
    'says how much is made up for, but the misfire policy is skip',
  'retry.delayMsMax': ({ retry }) =>
    retry !== undefined && retry.delayMsMax < retry.delayMs && 'is less than the first delay',
  /** A list that this version does not know is a fault too: it may be an exclusion. */
  target: ({ target }) => {
    if (target === undefined) return false;
    if (typeof target !== 'object' || target === null || Array.isArray(target)) {
      return 'is no object of lists';
    }
    const lists = Object.keys(target);
    if (lists.length === 0) return 'names nothing: take it away';
    const unknown = lists.filter((list) => !targetLists.includes(list));
    return unknown.map((list) => `has ${list}, which this version does not know`);
  },
  'notify.to': ({ notify: { on = [], to = [] } = noNotify }) =>
    on.length > 0 && to.length === 0 && 'is missing: notify-on needs it',
  'notify.on': ({ notify: { on = [], to = [] } = noNotify }) =>
    to.length > 0 && on.length === 0 && 'is missing: notify-to needs it',
  'notify.ping': ({ notify: { ping = [], to = [] } = noNotify }) =>
    ping.some((name) => to.includes(name)) && 'has a target that is notified as well',
  'notify.longMs': ({ notify: { on = [], longMs } = noNotify }) => {
    const isEvent = on.includes('long-running');
    if (isEvent === (longMs !== undefined)) return false;
    return isEvent
      ? 'is missing: the event long-running needs it'
      : 'says how long, but long-running is no event of it';
  },
};

const targetLists = jobFields.flatMap(({ name, part }) => (name === 'target' ? (part ?? []) : []));

const rulesForWriters: Rules = {
  secretEnv: ({ env = {}, secretEnv = {} }) => checkSecretEnv({ env, secretEnv }) ?? false,
  /** Whether the upstream jobs are there, and go round in no circle, is the database's to say. */
  after: ({ after, name }) => {
    if (!Array.isArray(after)) return false;
    const seen = new Set<string>();
    return after.flatMap((upstream: Partial<Upstream> | null): string | never[] => {
      const { job, on } = upstream ?? {};
      if (typeof job !== 'string' || job === '') return 'a job is missing its name';
      const shown = JSON.stringify(job);
      if (on === undefined || !Object.hasOwn(upstreamEnds, on)) {
        const allowed = Object.keys(upstreamEnds).join(', ');
        return `${shown} is followed on ${JSON.stringify(on)}; allowed are ${allowed}`;
      }
      if (job === name) return `${shown} would follow itself`;
      // Two edges to one job would start two launches for one end that both are about.
      const isFirst = seen.size < seen.add(job).size;
      return isFirst ? [] : `${shown} is named twice; "end" stands for success and failure`;
    });
  },
  tags: ({ tags }) =>
    Array.isArray(tags) && new Set(tags).size < tags.length && 'names a tag twice',
};

const ofAll = Object.entries(rulesForAll);
const ofWriters = Object.entries({ ...rulesForAll, ...rulesForWriters });
