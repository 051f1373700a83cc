import type { JSX } from 'preact';
import { actOnJobs, type BulkAction, filterOf, namesFilter } from '../../acts/bulkActs.tsx';
import { muteJobs } from '../../acts/muteActs.tsx';
import { Action } from '../../parts/action.tsx';
import type { IconName } from '../../parts/icons.tsx';
import { countOf } from '../../text/formatNumber.ts';
import type { JobPages, JobQuery } from './jobPages.ts';
import { clearSelection, selection } from './selection.ts';

interface BarProps {
  readonly data: JobPages | null;
  readonly filters: JobQuery;
  onChange(): void;
}

const actions: readonly (readonly [BulkAction, IconName, string])[] = [
  ['pause', 'pause', 'Pause'],
  ['resume', 'resume', 'Resume'],
  ['run', 'play', 'Run'],
  ['remove', 'remove', 'Remove'],
];

/** What can be done to the jobs that are selected; it stands over the list, which does not move. */
export function BulkBar({ data, filters, onChange }: BarProps): JSX.Element | null {
  const chosen = selection.value;
  if (chosen !== 'all' && chosen.size === 0) return null;
  const act = async (action: BulkAction) => {
    const filter = chosen === 'all' ? filterOf(filters) : namesFilter([...chosen]);
    const selected = chosen === 'all' ? (data?.isWhole && data.jobs.length) || 0 : chosen.size;
    if (!(await actOnJobs(action, filter, selected))) return;
    clearSelection();
    onChange();
  };
  const tooManyChosen = chosen !== 'all' && chosen.size > namesMax ? tooMany : null;
  const names = chosen !== 'all' ? [...chosen] : data?.isWhole ? data.jobs.map(nameOf) : null;
  const tooManyMuted = names === null || names.length > namesMax ? tooManyToMute : null;
  const muteChosen = async () => {
    if (names === null || !(await muteJobs([...names].sort()))) return;
    clearSelection();
    onChange();
  };
  return (
    <div class="bulk" role="toolbar" aria-label="Selected jobs" data-bulk>
      <strong role="status">
        {chosen === 'all' ? allText(data) : countOf(chosen.size, 'job')}
      </strong>
      {chosen !== 'all' && (
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            selection.value = 'all';
          }}
        >
          Select all that match
        </button>
      )}
      {actions.map(([action, icon, word]) => (
        <Action
          key={action}
          needs="operator"
          icon={icon}
          kind={action === 'remove' ? 'danger' : 'plain'}
          whyNot={tooManyChosen}
          onAct={() => act(action)}
        >
          {word}
        </Action>
      ))}
      <Action
        needs="operator"
        icon="mute"
        whyNot={chosen === 'all' ? tooManyMuted : tooManyChosen}
        onAct={muteChosen}
      >
        Mute
      </Action>
      <button type="button" class="button quiet" onClick={clearSelection} data-clear>
        Clear
      </button>
    </div>
  );
}

const namesMax = 200;
const tooMany = `At most ${namesMax} jobs can be selected one by one: select all that match.`;
const tooManyToMute = `At most ${namesMax} jobs are muted at once; Notifications mutes a group.`;
const nameOf = ({ job }: JobPages['jobs'][number]): string => job;

/** How many that is, as far as the list has been read. */
function allText(data: JobPages | null): string {
  if (data === null) return 'All jobs that match';
  const { isWhole, jobs } = data;
  const count = countOf(jobs.length, 'job');
  return isWhole ? `All ${count} that match` : `All jobs that match: ${count} and more`;
}
