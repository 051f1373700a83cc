import type { JSX } from 'preact';
import { actOnJobs, type BulkAction, filterOf, namesFilter } from '../../acts/bulkActs.tsx';
import { Action } from '../../parts/action.tsx';
import type { IconName } from '../../parts/icons.tsx';
import { countOf } from '../../text/formatNumber.ts';
import type { JobQuery } from './jobPages.ts';
import { clearSelection, selection } from './selection.ts';

interface BarProps {
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
export function BulkBar({ filters, onChange }: BarProps): JSX.Element | null {
  const chosen = selection.value;
  if (chosen !== 'all' && chosen.size === 0) return null;
  const act = async (action: BulkAction) => {
    const filter = chosen === 'all' ? filterOf(filters) : namesFilter([...chosen]);
    if (!(await actOnJobs(action, filter))) return;
    clearSelection();
    onChange();
  };
  return (
    <div class="bulk" role="toolbar" aria-label="Selected jobs" data-bulk>
      <strong role="status">
        {chosen === 'all' ? 'All jobs that match' : countOf(chosen.size, 'job')}
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
          whyNot={chosen !== 'all' && chosen.size > namesMax ? tooMany : null}
          onAct={() => act(action)}
        >
          {word}
        </Action>
      ))}
      <button type="button" class="button quiet" onClick={clearSelection}>
        Clear
      </button>
    </div>
  );
}

const namesMax = 200;
const tooMany = `At most ${namesMax} jobs can be selected one by one: select all that match.`;
