import type { JSX } from 'preact';
import { pauseJob, removeJob, resumeJob, runJob, stopRunsOf } from '../../acts/jobActs.tsx';
import { muteJob, unmuteJob } from '../../acts/muteActs.tsx';
import { callApi } from '../../api/callApi.ts';
import { type Resource, useResource } from '../../api/useResource.ts';
import type { ScreenProps } from '../../frame/screen.ts';
import { PauseStatus, whoAndWhy } from '../../jobs/pauseStatus.tsx';
import { Action } from '../../parts/action.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Time, Until, ZoneName } from '../../parts/timeText.tsx';
import { goTo, linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';
import { JobChain } from './jobChain.tsx';
import { JobFacts } from './jobFacts.tsx';
import { JobTimeline } from './jobTimeline.tsx';
import { NextTicks } from './nextTicks.tsx';
import { RecentRuns } from './recentRuns.tsx';
import { Revisions } from './revisions.tsx';
import { isManual, type ShownJob } from './shownJob.ts';
import { WhyNot } from './whyNot.tsx';

/** A job: what it is, when it is due, how it went, and who changed it. */
export function JobScreen({ names: { job = '' } }: ScreenProps): JSX.Element {
  const shown = useResource<ShownJob>(job, {
    read: (signal) =>
      callApi('GET /jobs/{job}', { path: { job }, query: { revisions: '20' }, signal }),
    isAbout: (event) => 'job' in event && event.job === job,
  });
  const problem = shown.problem.value;
  const isMissing = problem?.code === 'job_missing';
  return (
    <div class="screen job">
      {isMissing ? <RemovedJob job={job} /> : <PresentJob job={job} shown={shown} />}
    </div>
  );
}

function PresentJob({ job, shown }: { job: string; shown: Resource<ShownJob> }): JSX.Element {
  const data = shown.data.value;
  return (
    <>
      <header class="bar">
        <a class="up" href={linkTo(['jobs'])}>
          Jobs
        </a>
        <h1>{showLine(job)}</h1>
        {data && <JobStatus job={data} />}
        <JobTools job={job} data={data} onChange={shown.reload.bind(shown)} />
      </header>
      <Loaded of={shown} lines={12}>
        {(loaded) => (
          <div class="columns">
            <div>
              <WhyNot job={loaded} />
              <JobFacts job={loaded} />
              <JobTimeline job={job} />
              <RecentRuns job={job} />
            </div>
            <div>
              <NextTicks job={loaded} />
              <JobChain job={job}>
                <Revisions job={loaded} onChange={shown.reload.bind(shown)} />
              </JobChain>
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

interface ToolsProps {
  readonly job: string;
  /** Null: not read yet. */
  readonly data: ShownJob | null;
  onChange(): void;
}

/** What can be done with it. */
function JobTools({ data, job, onChange }: ToolsProps): JSX.Element {
  const then = (act: (job: string) => Promise<void>) => async () => {
    await act(job);
    onChange();
  };
  const stop = async () => {
    if (data !== null) await stopRunsOf(data);
    onChange();
  };
  return (
    <div class="tools">
      <Action icon="play" kind="main" needs="operator" onAct={then(runJob)}>
        Run now
      </Action>
      <Action icon="stop" kind="danger" needs="operator" whyNot={whyNotStop(data)} onAct={stop}>
        Stop
      </Action>
      {data?.paused ? (
        <Action icon="resume" needs="operator" onAct={then(resumeJob)}>
          <OneOf shown="Resume" other="Pause" />
        </Action>
      ) : (
        <Action icon="pause" needs="operator" onAct={then(pauseJob)}>
          <OneOf shown="Pause" other="Resume" />
        </Action>
      )}
      {data?.mutes.some(({ kind }) => kind === 'job') ? (
        <Action icon="bell" needs="operator" onAct={then(unmuteJob)}>
          <OneOf shown="Unmute alerts" other="Mute alerts" />
        </Action>
      ) : (
        <Action icon="mute" needs="operator" onAct={then(muteJob)}>
          <OneOf shown="Mute alerts" other="Unmute alerts" />
        </Action>
      )}
      <Action icon="edit" needs="operator" onAct={() => goTo(['jobs', job, 'edit'])}>
        Edit
      </Action>
      <Action icon="remove" kind="danger" needs="operator" onAct={() => removeJob(job)}>
        Remove
      </Action>
    </div>
  );
}

/** It stands there always: what comes and goes would move what somebody is about to press. */
function whyNotStop(data: ShownJob | null): string | null {
  return data?.slots.some(({ state }) => state === 'executing') ? null : 'Nothing runs.';
}

/** As wide as either word, so that what stands beside it does not move. */
function OneOf({ other, shown }: { shown: string; other: string }): JSX.Element {
  return (
    <span class="one-of" data-other={other}>
      {shown}
    </span>
  );
}

function JobStatus({ job }: { readonly job: ShownJob }): JSX.Element {
  const executing = job.slots.filter(({ state }) => state === 'executing').length;
  return (
    <span class="statuses">
      {job.paused && <StatusBadge status="paused" />}
      {job.pause && <PauseStatus pause={job.pause} />}
      {!job.paused && job.mayRunOn.length === 0 && <StatusBadge status="cannot_run" />}
      {!job.paused && (
        <span class="quiet">
          {isManual(job) ? (
            'runs on request'
          ) : (
            <>
              next tick <Until at={job.next[0] ?? null} none="none" />
            </>
          )}
        </span>
      )}
      {job.mutes.map((mute) => (
        <MuteStatus key={`${mute.kind} ${mute.name}`} mute={mute} />
      ))}
      {executing > 0 && (
        <StatusBadge status="running" word={executing > 1 ? `${executing} running` : 'running'} />
      )}
    </span>
  );
}

/** Until when its alerts are muted, and by whom and why. */
function MuteStatus({ mute }: { readonly mute: ShownJob['mutes'][number] }): JSX.Element {
  const { kind, name, until } = mute;
  const whose = kind === 'job' ? 'alerts' : `alerts of the group ${name}`;
  const what = kind === 'target' ? `all alerts to ${name}` : whose;
  const why = whoAndWhy(mute);
  return (
    <span class="quiet held" title={showLine(`${what} muted${why}`)}>
      {showLine(what)} muted until <Time at={until} /> <ZoneName />
      {showLine(why)}
    </span>
  );
}

/** Its name leads to its history still. */
function RemovedJob({ job }: { readonly job: string }): JSX.Element {
  return (
    <>
      <header class="bar">
        <a class="up" href={linkTo(['jobs'])}>
          Jobs
        </a>
        <h1>{showLine(job)}</h1>
      </header>
      <div class="box">
        <p>
          <strong>There is no job of this name.</strong> It was removed, or it is in a group of jobs
          that you may not see. What is kept of its history is shown here.
        </p>
      </div>
      <RecentRuns job={job} />
    </>
  );
}
