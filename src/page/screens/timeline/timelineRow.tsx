import type { JSX } from 'preact';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Time } from '../../parts/timeText.tsx';
import { linkTo } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import type { TimeRange } from '../../timeline/timeRange.ts';
import { Track } from '../../timeline/track.tsx';
import type { TimelineJob } from '../../timeline/trackPaths.ts';

interface RowProps {
  readonly job: TimelineJob;
  readonly range: TimeRange;
  readonly bins: number;
  readonly nowMs: number;
  onZoom(ms: number): void;
}

/** States that are no trouble are not said: the track shows them. */
const quietStates = ['idle', 'running', 'waiting'];

export function TimelineRow(props: RowProps): JSX.Element {
  const { bins, job, range } = props;
  const binMs = (range.untilMs - range.fromMs) / bins;
  return (
    <li>
      <div class="job">
        <a href={linkTo(['jobs', job.job])} title={showLine(job.job)} data-row>
          {showLine(job.job)}
        </a>
        {!quietStates.includes(job.state) && <StatusBadge status={job.state} />}
        {job.binned && (
          <span class="quiet" title="It has too many runs to be shown one by one: a click zooms in">
            {formatDuration(binMs)} a bar
          </span>
        )}
        {job.readFrom !== null && (
          <span class="quiet">
            read from <Time at={job.readFrom} />
          </span>
        )}
        {job.nextMore > 0 && (
          <span class="quiet" title="Ticks to come that are not drawn one by one">
            +{formatCount(job.nextMore)} to come
          </span>
        )}
      </div>
      <Track {...props} />
    </li>
  );
}
