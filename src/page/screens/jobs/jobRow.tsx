import type { JSX } from 'preact';
import { pauseJob, resumeJob, runJob } from '../../acts/jobActs.tsx';
import { Muted } from '../../jobs/muted.tsx';
import { IconAction } from '../../parts/action.tsx';
import { Percentiles, RunStrip } from '../../parts/runStrip.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, Until } from '../../parts/timeText.tsx';
import { changeQuery, linkTo } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { showControls, showLine } from '../../text/showControls.ts';
import type { ListedJob } from './jobPages.ts';
import { Schedule } from './schedule.tsx';
import { isSelected } from './selection.ts';

/** Of what says why the reader may not act on the jobs. */
export const rowReasonId = 'why-not-act';

interface RowProps {
  readonly job: ListedJob;
  /** Its alerts are until then, by its name or its group. */
  readonly mutedUntil: string | null;
  /** Which row of the document it is. */
  readonly rowKey: number;
  /** Its place in the list, from 0. */
  readonly at: number;
  /** Where it is drawn, in pixels. */
  readonly top: number;
  onSelect(job: string): void;
}

export function JobRow({ at, job, mutedUntil, onSelect, rowKey, top }: RowProps): JSX.Element {
  return (
    <div
      role="row"
      class={`row${job.paused ? ' is-paused' : ''}${isSelected(job.job) ? ' is-selected' : ''}`}
      aria-rowindex={at + 2}
      data-key={rowKey}
      style={{ transform: `translateY(${top}px)` }}
    >
      <SelectCell job={job.job} onSelect={onSelect} />
      <div role="cell" class="state">
        <JobState job={job} />
      </div>
      <div role="cell" class="job">
        <JobName job={job} />
        {mutedUntil && <Muted until={mutedUntil} />}
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
  const { description, job } = listed;
  const lines = [...(description === null ? [] : [description]), ...labelLines(listed)];
  const title = lines.length === 0 ? undefined : showControls(lines.join('\n'));
  return (
    <a href={linkTo(['jobs', job])} title={title} data-row>
      {showLine(job)}
    </a>
  );
}

/** Its group and its tags in a line each, as far as it has them. */
function labelLines({ group, tags }: ListedJob): string[] {
  return [
    ...(group === 'default' ? [] : [`group: ${group}`]),
    ...(tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]),
  ];
}

function SelectCell({ job, onSelect }: Pick<RowProps, 'onSelect'> & { readonly job: string }) {
  return (
    <div role="cell" class="select">
      <label>
        <input
          type="checkbox"
          aria-label={`Select ${showLine(job)}`}
          checked={isSelected(job)}
          onChange={({ currentTarget }) => {
            onSelect(job);
            currentTarget.checked = isSelected(job);
          }}
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
  const lines = labelLines(job);
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
        {lines.length > 0 && (
          <span
            class={tags.length > shownTags ? 'more always' : 'more'}
            title={showControls(lines.join('\n'))}
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
      resumes <Until at={job.resumeAt} isShort />
    </span>
  );
}
