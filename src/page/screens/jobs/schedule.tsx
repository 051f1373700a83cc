import type { JSX } from 'preact';
import { showLine } from '../../text/showControls.ts';
import type { ListedJob } from './jobPages.ts';

/** Of a job in a list: when it runs, and by which clock. */
export function Schedule({ job }: { readonly job: ListedJob }): JSX.Element {
  const title = scheduleTitle(job);
  return (
    <>
      <code title={title}>{showLine(scheduleText(job))}</code>
      {job.schedule !== '@manual' && (
        <span class="zone-of" title={title}>
          {showLine(shortZone(job.timezone))}
        </span>
      )}
    </>
  );
}

function scheduleText({ moreSchedules, schedule }: ListedJob): string {
  return `${schedule}${moreSchedules.length === 0 ? '' : ` +${moreSchedules.length}`}`;
}

/** Of `America/New_York` the place: `New York`. */
function shortZone(timezone: string): string {
  return (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' ');
}

function scheduleTitle({ moreSchedules, schedule, timezone }: ListedJob): string {
  return `${[schedule, ...moreSchedules].join('\n')}\n${timezone}`;
}
