import type { JSX } from 'preact';
import { seesAllGroups } from '../../api/session.ts';
import { Count } from '../../parts/count.tsx';
import { linkTo } from '../../state/place.ts';
import { formatCount } from '../../text/formatNumber.ts';
import { failures, type NowState, type Some } from './readNow.ts';

/** How many of each that the reader may see; each leads to them. */
export function NowCounts({ state }: { readonly state: NowState }): JSX.Element {
  const { cannotRun, cluster, failing, paused, running, waiting } = state;
  const isAll = seesAllGroups();
  const live = cluster.sessions.filter(({ state: is }) => is === 'live');
  const sum = (name: 'executing' | 'prepared') =>
    live.reduce((total, session) => total + session[name], 0);
  return (
    <ul class="counts">
      <Count
        word="failing"
        count={countOfSome(failing)}
        tone={failing.items.length > 0 ? 'bad' : 'rest'}
        to={linkTo(['jobs'], { lastResult: failures })}
      />
      <Count
        word="cannot run"
        count={isAll ? formatCount(cluster.unrunnable.jobs) : countOfSome(cannotRun)}
        tone={cannotRun.items.length > 0 ? 'bad' : 'rest'}
        to={linkTo(['jobs'], { state: 'cannot_run' })}
      />
      <Count
        word="late"
        count={isAll ? formatCount(cluster.overdue) : countOfSome(waiting)}
        tone={waiting.items.length > 0 ? 'doubt' : 'rest'}
        to={linkTo(['jobs'], { state: 'waiting' })}
      />
      <Count
        word="paused"
        count={countOfSome(paused)}
        tone="doubt"
        to={linkTo(['jobs'], { state: 'paused' })}
      />
      <Count
        word="running"
        count={isAll ? formatCount(sum('executing')) : countOfSome(running)}
        tone="good"
        to={linkTo(['jobs'], { state: 'running' })}
      />
      {isAll && <Count word="prepared" count={formatCount(sum('prepared'))} tone="prepare" />}
      {isAll && (
        <Count word="jobs" count={formatCount(cluster.jobs)} tone="rest" to={linkTo(['jobs'])} />
      )}
      <Count
        word="live nodes"
        count={formatCount(live.length)}
        tone="rest"
        to={linkTo(['cluster'])}
      />
    </ul>
  );
}

function countOfSome({ isWhole, items }: Some<unknown>): string {
  return isWhole ? formatCount(items.length) : `${items.length}+`;
}
