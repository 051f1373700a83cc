import type { WhyShown } from '../../store/why/whyJob.ts';
import type { Answer } from '../contract/apiContract.ts';
import { isoOf, isoOrNull } from './isoOf.ts';
import { muteView } from './muteView.ts';

export type WhyView = Answer<'GET /jobs/{job}/why'>;

/** Why a job has not run, as the API and `--json` show it. */
export function whyView(why: WhyShown): WhyView {
  const { job, nodes, nodesLeftOut } = why;
  const { definition, jobId, last, revision } = job;
  return {
    job: job.name,
    ...{ jobId, revision },
    group: definition.group ?? 'default',
    timezone: definition.timezone,
    now: isoOf(why.nowMs),
    ...{ state: why.state, text: why.text, because: why.because },
    checks: why.checks,
    mutes: why.mutes.map(muteView),
    nodes: nodes.map(({ node, level, keptBy }) => {
      return { node, level, may: keptBy.length === 0, keptBy };
    }),
    nodesLeftOut,
    next: why.next.map(({ tickMs, startMs }) => {
      return { tick: isoOf(tickMs), startsAt: isoOf(startMs) };
    }),
    last: last === null ? null : lastView(last),
  };
}

function lastView(last: NonNullable<WhyShown['job']['last']>): NonNullable<WhyView['last']> {
  const { endedMs, scheduledForMs, startedMs, ...same } = last;
  const times = { startedAt: isoOrNull(startedMs), endedAt: isoOf(endedMs) };
  return { ...same, scheduledFor: isoOf(scheduledForMs), ...times };
}
