import { showUpstream } from '../job/fieldTable/upstream.ts';
import { startsFollower } from '../run/startsFollower.ts';
import type { TickSource } from '../run/tickSource.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import { jobLink } from './jobChecks.ts';
import type { UpstreamFacts, WhyFacts } from './whyFacts.ts';

/**
 * Whether the last ends of the jobs that it follows have started it. Nothing is kept by that while
 * its own schedule has ticks to come.
 */
export function chainCheck({ nowMs, upstreams }: WhyFacts, ticks: TickSource): Check {
  if (upstreams.length === 0) return passed('chain', 'It follows no other job.');
  const shown = upstreams.filter(({ isShown }) => isShown);
  if (shown.length === 0) return unknown('chain', 'It follows jobs of other groups.');
  const ended = shown.filter(({ last }) => last !== null);
  const lastEnd = ({ last }: UpstreamFacts): number => last?.endedMs ?? Number.NEGATIVE_INFINITY;
  const [latest] = ended.sort((a, b) => lastEnd(b) - lastEnd(a));
  const hasTicks = ticks.next(nowMs) !== null;
  const otherwise = hasTicks ? passed : failed;
  const besides = hasTicks ? 'by its own schedule, and ' : '';
  if (latest === undefined || latest.last === null) {
    const [first] = shown;
    const names = shown.map(showUpstream).join('; ');
    const text = `It starts ${besides}after ${names}: none has ended yet.`;
    const isCut = shown.some((each) => each.isCut);
    if (isCut)
      return unknown('chain', 'The last ends of the jobs that it follows are too long ago.');
    return otherwise('chain', text, { link: first === undefined ? null : jobLink(first.job) });
  }
  const { job, last, on } = latest;
  const link = jobLink(job);
  const end = `${job} ended at ${iso(last.endedMs)} (${last.result})`;
  return startsFollower(last.result, on)
    ? passed('chain', `${end}, which starts it.`, { link })
    : otherwise('chain', `${end}; it starts ${besides || 'only '}after ${showUpstream(latest)}.`, {
        link,
      });
}
