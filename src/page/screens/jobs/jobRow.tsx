import type { JSX } from 'preact';
import { pauseJob, resumeJob, runJob } from '../../acts/jobActs.tsx';
import { IconAction } from '../../parts/action.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Percentiles, RunStrip } from '../../parts/runStrip.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, Until } from '../../parts/timeText.tsx';
import { changeQuery, linkTo } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { showControls, showLine } from '../../text/showControls.ts';
import type { ListedJob } from './jobPages.ts';
import { Schedule } from './schedule.tsx';
import { isSelected, turnSelected } from './selection.ts';

/** Of what says why the reader may not act on the jobs. */
export const rowReasonId = 'why-not-act';

interface RowProps {
  readonly job: ListedJob;
  /** Its alerts are, by its name or its group. */
  readonly isMuted: boolean;
  /** Which row of the document it is. */
  readonly rowKey: number;
  /** Its place in the list, from 0. */
  readonly at: number;
  /** Where it is drawn, in pixels. */
  readonly top: number;
}

export function JobRow({ at, isMuted, job, rowKey, top }: RowProps): JSX.Element {
  return (
    <div
      role="row"
      class={`row${job.paused ? ' is-paused' : ''}${isSelected(job.job) ? ' is-selected' : ''}`}
      aria-rowindex={at + 2}
      data-key={rowKey}
      style={{ transform: `translateY(${top}px)` }}
    >
      <SelectCell job={job.job} />
      <div role="cell" class="state">
        <JobState job={job} />
      </div>
      <div role="cell" class="job">
        <JobName job={job} />
        {isMuted && <Muted />}
        <Labels job={job} />
      </div>
      <div role="cell" class="schedule">
        <Schedule job={job} />
      </div>
      <div role="cell" class="last-result">
        <StatusBadge status={job.lastResult ?? 'none'} />
      </div>
      <div role="cell" class="ended">
        <Ago at={job.lastEndedAt} />
      </div>
      <div role="cell" class="took number">
        {job.lastDurationMs === null ? (
          <span class="none">–</span>
        ) : (
          formatDuration(job.lastDurationMs)
        )}
      </div>
      <div role="cell" class="p50-p95 number">
        <Percentiles stats={job.stats} />
      </div>
      <div role="cell" class="last-20">
        <RunStrip runs={job.stats?.recent ?? []} />
      </div>
      <div role="cell" class="next-tick">
        <NextTick job={job} />
      </div>
      <div role="cell" class="actions">
        <RowActions job={job} />
      </div>
    </div>
  );
}

function RowActions({ job: listed }: { readonly job: ListedJob }): JSX.Element {
  const { job, paused } = listed;
  const name = showLine(job);
  const common = { needs: 'operator', reasonId: rowReasonId } as const;
  return (
    <>
      <IconAction {...common} icon="play" label={`Run ${name} now`} onAct={() => runJob(job)} />
      {paused ? (
        <IconAction
          {...common}
          icon="resume"
          label={`Resume ${name}`}
          onAct={() => resumeJob(job)}
        />
      ) : (
        <IconAction {...common} icon="pause" label={`Pause ${name}`} onAct={() => pauseJob(job)} />
      )}
    </>
  );
}

function JobName({ job: listed }: { readonly job: ListedJob }): JSX.Element {
  const { description, group, job, tags } = listed;
  const lines = [
    ...(description === null ? [] : [description]),
    ...(group === 'default' ? [] : [`group: ${group}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
  ];
  const title = lines.length === 0 ? undefined : showControls(lines.join('\n'));
  return (
    <a href={linkTo(['jobs', job])} title={title} data-row>
      {showLine(job)}
    </a>
  );
}

function Muted(): JSX.Element {
  return (
    <span class="muted" title="Its alerts are muted">
      <Icon name="mute" />
      <span class="unseen">muted</span>
    </span>
  );
}

function SelectCell({ job }: { readonly job: string }): JSX.Element {
  return (
    <div role="cell" class="select">
      <label>
        <input
          type="checkbox"
          aria-label={`Select ${showLine(job)}`}
          checked={isSelected(job)}
          onChange={() => turnSelected(job)}
          data-select
        />
      </label>
    </div>
  );
}

function JobState({ job }: { readonly job: ListedJob }): JSX.Element {
  const { executing, state } = job;
  if (executing > 1) return <StatusBadge status="running" word={`${executing} running`} />;
  return <StatusBadge status={state} />;
}

const shownTags = 3;

function Labels({ job }: { readonly job: ListedJob }): JSX.Element {
  const { group, kind, tags } = job;
  const all = [...(group === 'default' ? [] : [group]), ...tags.map((tag) => `#${tag}`)];
  return (
    <span class="labels">
      <span>
        {group !== 'default' && <FilterChip by="group" name={group} says="of the group" />}
        {kind === 'every-node' && (
          <span class="chip" title="Each node that may runs each tick">
            every node
          </span>
        )}
        {tags.slice(0, shownTags).map((tag) => (
          <FilterChip key={tag} by="tag" name={tag} says="with the tag" />
        ))}
        {all.length > 0 && (
          <span
            class={tags.length > shownTags ? 'more always' : 'more'}
            title={showLine(all.join(', '))}
            aria-hidden="true"
          >
            …
          </span>
        )}
      </span>
    </span>
  );
}

interface FilterChipProps {
  readonly by: 'group' | 'tag';
  readonly name: string;
  readonly says: string;
}

function FilterChip({ by, name, says }: FilterChipProps): JSX.Element {
  return (
    <button
      type="button"
      tabIndex={-1}
      class={`chip ${by}`}
      title={`Only jobs ${says} ${showLine(name)}`}
      onClick={() => changeQuery({ [by]: [name] })}
    >
      {showLine(name)}
    </button>
  );
}

function NextTick({ job }: { readonly job: ListedJob }): JSX.Element {
  if (!job.paused && job.executing > 0 && job.next === null) {
    return <span title="Known when the run has ended">–</span>;
  }
  if (!job.paused)
    return <Until at={job.next} none={job.schedule === '@manual' ? 'on request' : 'none'} />;
  if (job.resumeAt === null) return <span class="none">paused</span>;
  return (
    <span class="none">
      resumes <Until at={job.resumeAt} />
    </span>
  );
}
