import type { JSX } from 'preact';
import { seesAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { AddJob } from '../../jobs/addJob.tsx';
import { WarningLine } from '../../jobs/clusterWarnings.tsx';
import { PauseLines } from '../../jobs/pauseLines.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { linkTo } from '../../state/place.ts';
import { NowCounts } from './nowCounts.tsx';
import { NowFailed, NowFailing, NowJobs, NowNext, NowRuns } from './nowLists.tsx';
import { NowNodes } from './nowNodes.tsx';
import { failures, type NowState, readNow } from './readNow.ts';

/** The first screen: what asks for somebody, what runs, and who is there to run it. */
export function NowScreen(): JSX.Element {
  const now = useResource<NowState>('now', {
    read: readNow,
    isAbout: ({ type }) => type !== 'slot.changed',
    everyMs: 20_000,
  });
  const cluster = now.data.value?.cluster;
  return (
    <div class="screen now">
      <header class="bar">
        <h1>Now</h1>
        {cluster && <WarningLine cluster={cluster} />}
      </header>
      <PauseLines pauses={cluster?.pauses ?? []} onChange={() => now.reload()} />
      <Loaded of={now} lines={12}>
        {(state) => (state.cluster.jobs === 0 ? <NoJobs /> : <Present state={state} />)}
      </Loaded>
    </div>
  );
}

function Present({ state }: { readonly state: NowState }): JSX.Element {
  const { cannotRun, cluster, failed, failing, running, waiting } = state;
  const whose = seesAllGroups() ? '' : 'of your groups ';
  return (
    <>
      <NowCounts state={state} />
      <div class="columns">
        <div>
          <NowFailing
            title="Failing"
            none="No job’s last run failed."
            jobs={failing}
            all={linkTo(['jobs'], { lastResult: failures })}
          />
          <NowFailed title="Failed in the last 24 hours" none="No run has." failed={failed} />
          <NowRuns
            title="Running"
            none="Nothing runs."
            runs={running}
            all={linkTo(['jobs'], { state: 'running' })}
          />
          <NowJobs
            title="Cannot run"
            none={`Each job ${whose}has a live node that may run it.`}
            jobs={cannotRun}
            all={linkTo(['jobs'], { state: 'cannot_run' })}
          />
          <NowJobs
            title="Waiting to start"
            none="No launch is due that has not started."
            jobs={waiting}
            all={linkTo(['jobs'], { state: 'waiting' })}
          />
        </div>
        <div>
          <NowNodes sessions={cluster.sessions} />
          <NowNext
            title="Next 24 hours"
            none="No tick is due."
            next={state.next}
            all={linkTo(['upcoming'], { within: '1d' })}
          />
        </div>
      </div>
    </>
  );
}

function NoJobs(): JSX.Element {
  return (
    <Empty title="Add your first job">
      <p>
        <AddJob>Add a job</AddJob>
      </p>
      <p>or on the command line of a machine that has statecron:</p>
      <pre>statecron job add hello --cron '* * * * *' --command 'echo hello'</pre>
      <p>Or look at what your crontab would become:</p>
      <pre>crontab -l | statecron import - --dry-run</pre>
      <p>
        <a href="docs">Read more</a>
      </p>
    </Empty>
  );
}
