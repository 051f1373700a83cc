import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { type Answer, callApi } from '../../api/callApi.ts';
import { readPages } from '../../api/readPages.ts';
import { useResource } from '../../api/useResource.ts';
import { Choice, Condition, SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { ZoneName } from '../../parts/timeText.tsx';
import { changeQuery, place } from '../../state/place.ts';
import { AuditEntry } from './auditEntry.tsx';

const pageRows = 100;

const windows = {
  ...{ '': 'of any time', '1h': 'of the last hour', '1d': 'of the last day' },
  ...{ '7d': 'of 7 days', '30d': 'of 30 days' },
};

/** Who changed what, the newest first. */
export function AuditScreen(): JSX.Element {
  const conditions = readConditions(place.value.query);
  const pages = useSignal(1);
  const audit = useResource(JSON.stringify([conditions, pages.value]), {
    read: (signal) =>
      readPages<Answer<'GET /audit'>>(pages.peek(), (after) =>
        callApi('GET /audit', { query: { ...conditions, after, limit: `${pageRows}` }, signal }),
      ),
    everyMs: 10_000,
  });
  return (
    <div class="screen audit">
      <header class="bar">
        <h1>
          Audit{' '}
          <span class="quiet">
            (<ZoneName />)
          </span>
        </h1>
        <SearchField name="target" label="Name of what was changed" />
        <Choice name="since" label="When" choices={windows} />
        <Condition name="actor" label="who" />
        <Condition name="action" label="what" />
      </header>
      <Loaded of={audit} lines={20}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <NoChanges isFiltered={Object.keys(conditions).length > 0} />}
            <ol class="changes">
              {items.map((row) => (
                <AuditEntry key={row.auditId} row={row} />
              ))}
            </ol>
            {next !== null && (
              <button
                type="button"
                class="button plain"
                onClick={() => {
                  pages.value += 1;
                }}
              >
                Show older changes
              </button>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

const names = ['target', 'actor', 'action', 'since'] as const;

function readConditions(query: URLSearchParams): Partial<Record<(typeof names)[number], string>> {
  const given = names.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

function NoChanges({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (!isFiltered) return <Empty title="Nothing was changed yet" />;
  return (
    <Empty title="No change matches">
      <p>A name has to be written in full.</p>
      <button
        type="button"
        class="button main"
        onClick={() => changeQuery(Object.fromEntries(names.map((name) => [name, undefined])))}
      >
        Show all changes
      </button>
    </Empty>
  );
}
