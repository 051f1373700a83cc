import { showUpstream } from '../job/fieldTable/upstream.ts';
import { startsFollower } from '../run/startsFollower.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import { jobLink } from './jobChecks.ts';
import type { UpstreamFacts, WhyFacts } from './whyFacts.ts';

/** Whether the last ends of the jobs that it follows have started it. */
export function chainCheck({ upstreams }: WhyFacts): Check {
  if (upstreams.length === 0) return passed('chain', 'It follows no other job.');
  const shown = upstreams.filter(({ isShown }) => isShown);
  if (shown.length === 0) return unknown('chain', 'It follows jobs of other groups.');
  const ended = shown.filter(({ last }) => last !== null);
  const lastEnd = ({ last }: UpstreamFacts): number => last?.endedMs ?? Number.NEGATIVE_INFINITY;
  const [latest] = ended.sort((a, b) => lastEnd(b) - lastEnd(a));
  if (latest === undefined || latest.last === null) {
    const [first] = shown;
    const text = `It starts after ${shown.map(showUpstream).join('; ')}: none has ended yet.`;
    const isCut = shown.some((each) => each.isCut);
    if (isCut)
      return unknown('chain', 'The last ends of the jobs that it follows are too long ago.');
    return failed('chain', text, { link: first === undefined ? null : jobLink(first.job) });
  }
  const { job, last, on } = latest;
  const link = jobLink(job);
  const end = `${job} ended at ${iso(last.endedMs)} (${last.result})`;
  return startsFollower(last.result, on)
    ? passed('chain', `${end}, which starts it.`, { link })
    : failed('chain', `${end}; it starts only after ${showUpstream(latest)}.`, { link });
}
