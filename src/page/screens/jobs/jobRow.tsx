import type { JSX } from 'preact';
import { pauseJob, resumeJob, runJob } from '../../acts/jobActs.tsx';
import { IconAction } from '../../parts/action.tsx';
import { type Status, StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, Until } from '../../parts/timeText.tsx';
import { changeQuery, linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import type { ListedJob } from './jobPages.ts';

/** The heads of the columns, in their order. */
export function jobRowHeads(): JSX.Element {
  const heads = ['State', 'Job', 'Schedule', 'Last result', 'Ended', 'Next tick', 'Actions'];
  return (
    <>
      {heads.map((head) => (
        <div key={head} role="columnheader" class={head.toLowerCase().replace(' ', '-')}>
          {head === 'Actions' ? <span class="unseen">{head}</span> : head}
        </div>
      ))}
    </>
  );
}

interface RowProps {
  readonly job: ListedJob;
  /** Its place in the list, from 0. */
  readonly at: number;
  /** Where it is drawn, in pixels. */
  readonly top: number;
}

export function JobRow({ job, at, top }: RowProps): JSX.Element {
  const name = showLine(job.job);
  const result = job.lastResult ?? 'none';
  return (
    <div
      role="row"
      class={`row${job.paused ? ' is-paused' : ''}`}
      aria-rowindex={at + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="cell" class="state">
        <JobState job={job} />
      </div>
      <div role="cell" class="job">
        <a href={linkTo(['jobs', job.job])} title={job.description ?? undefined} data-row>
          {name}
        </a>
        <Labels job={job} />
      </div>
      <div role="cell" class="schedule">
        <code title={scheduleTitle(job)}>{showLine(scheduleText(job))}</code>
      </div>
      <div role="cell" class="last-result">
        <StatusBadge status={result} />
      </div>
      <div role="cell" class="ended">
        <Ago at={job.lastEndedAt} />
      </div>
      <div role="cell" class="next-tick">
        <NextTick job={job} />
      </div>
      <div role="cell" class="actions">
        <IconAction
          icon="play"
          needs="operator"
          label={`Run ${name} now`}
          onAct={() => runJob(job.job)}
        />
        {job.paused ? (
          <IconAction
            icon="restore"
            needs="operator"
            label={`Resume ${name}`}
            onAct={() => resumeJob(job.job)}
          />
        ) : (
          <IconAction
            icon="pause"
            needs="operator"
            label={`Pause ${name}`}
            onAct={() => pauseJob(job.job)}
          />
        )}
      </div>
    </div>
  );
}

function JobState({ job }: { readonly job: ListedJob }): JSX.Element {
  const { executing, observed, paused, next } = job;
  if (executing > 0) {
    return (
      <StatusBadge status="running" word={executing > 1 ? `${executing} running` : 'running'} />
    );
  }
  const status: Status = paused ? 'paused' : observed ? 'observed' : 'idle';
  const word = status === 'idle' ? (next === null ? 'no tick' : 'scheduled') : undefined;
  return <StatusBadge status={status} {...(word && { word })} />;
}

function Labels({ job }: { readonly job: ListedJob }): JSX.Element {
  const { group, kind, tags } = job;
  return (
    <span class="labels">
      {group !== 'default' && (
        <button
          type="button"
          class="chip group"
          title={`Only jobs of the group ${showLine(group)}`}
          onClick={() => changeQuery({ group: [group] })}
        >
          {showLine(group)}
        </button>
      )}
      {kind === 'every-node' && (
        <span class="chip" title="Each node that may runs each tick">
          every node
        </span>
      )}
      {tags.slice(0, 3).map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip"
          title={`Only jobs with the tag ${showLine(tag)}`}
          onClick={() => changeQuery({ tag: [tag] })}
        >
          {showLine(tag)}
        </button>
      ))}
    </span>
  );
}

function scheduleText({ moreSchedules, schedule, timezone }: ListedJob): string {
  const more = moreSchedules.length === 0 ? '' : ` +${moreSchedules.length}`;
  return `${schedule}${more}${timezone === 'UTC' ? '' : ` ${timezone}`}`;
}

function scheduleTitle({ moreSchedules, schedule, timezone }: ListedJob): string {
  return `${[schedule, ...moreSchedules].join('\n')}\n${timezone}`;
}

function NextTick({ job }: { readonly job: ListedJob }): JSX.Element {
  if (!job.paused)
    return <Until at={job.next} none={job.schedule === '@manual' ? 'on request' : 'none'} />;
  if (job.resumeAt === null) return <span class="none">paused</span>;
  return (
    <span class="none">
      resumes <Until at={job.resumeAt} />
    </span>
  );
}
