import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type Answer, callApi } from '../../api/callApi.ts';
import { readPages } from '../../api/readPages.ts';
import { useGrowing } from '../../api/useGrowing.ts';
import { jobNamesLike, NamesLike } from '../../jobs/namesLike.tsx';
import { Choice, SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Zoned } from '../../parts/timeText.tsx';
import { zone } from '../../state/choices.ts';
import { changeQuery, place } from '../../state/place.ts';
import { zoneOffsetMs } from '../../text/formatTime.ts';
import { showLine } from '../../text/showControls.ts';
import { actionWords } from './actionWords.ts';
import { AuditEntry } from './auditEntry.tsx';

const pageRows = 100;

const windows = {
  ...{ '': 'of any time', '1h': 'of the last hour', today: 'of today' },
  ...{ yesterday: 'of yesterday', '1d': 'of 24 hours', '7d': 'of 7 days', '30d': 'of 30 days' },
};

/** Who changed what, the newest first. */
export function AuditScreen(): JSX.Element {
  const conditions = readConditions(place.value.query);
  const range = rangeOf(conditions);
  const seen = useRef({
    ...{ actor: new Set<string>(), action: new Set<string>(), target: new Set<string>() },
  });
  const audit = useGrowing(JSON.stringify(conditions), {
    read: (signal, pages) =>
      readPages<Answer<'GET /audit'>>(pages, (after) =>
        callApi('GET /audit', { query: { ...range, after, limit: `${pageRows}` }, signal }),
      ),
    everyMs: 10_000,
  });
  for (const { action, actor, target } of audit.data.value?.items ?? []) {
    seen.current.actor.add(actor);
    seen.current.action.add(action);
    seen.current.target.add(target);
  }
  return (
    <div class="screen audit">
      <AuditBar {...{ conditions, seen: seen.current }} />
      {conditions.target && (
        <p class="quiet">
          Stops and retries of single runs are filed under the run, not under its job.
        </p>
      )}
      <Loaded of={audit} lines={20}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <NoChanges conditions={conditions} />}
            {items.length > 0 && (
              <p class="change-heads" aria-hidden="true">
                {['When', 'Who, and from where', 'What was done', 'To what'].map((head) => (
                  <span key={head}>{head}</span>
                ))}
              </p>
            )}
            <ol class="changes">
              {items.map((row) => (
                <AuditEntry key={row.auditId} row={row} />
              ))}
            </ol>
            {next !== null && (
              <button type="button" class="button plain" onClick={audit.more}>
                Show older changes
              </button>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

interface BarProps {
  readonly conditions: ReturnType<typeof readConditions>;
  /** What may be chosen, of the rows that were read. */
  readonly seen: Readonly<Record<'actor' | 'action' | 'target', ReadonlySet<string>>>;
}

function AuditBar({ conditions, seen }: BarProps): JSX.Element {
  const find = async (part: string) => {
    const others = [...seen.target].filter((name) => name.includes(part)).slice(0, othersMax);
    return [...new Set([...(await jobNamesLike(part)), ...others])];
  };
  return (
    <header class="bar">
      <h1>
        <Zoned title="Audit" />
      </h1>
      <SearchField name="target" label="Whole name of what was changed" isWhole find={find} />
      <Choice name="since" label="When" choices={windows} />
      <Choice
        name="actor"
        label="Who"
        isOne
        choices={choicesOf('by anybody', seen.actor, conditions.actor)}
      />
      <Choice
        name="action"
        label="What"
        isOne
        choices={choicesOf('any change', seen.action, conditions.action, actionWords)}
      />
    </header>
  );
}

/** Beside the jobs: nodes, groups, tokens. */
const othersMax = 8;

const names = ['target', 'actor', 'action', 'since'] as const;

function readConditions(query: URLSearchParams): Partial<Record<(typeof names)[number], string>> {
  const given = names.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Those of the rows that were read, and the one that is chosen. */
function choicesOf(
  none: string,
  seen: ReadonlySet<string>,
  chosen: string | undefined,
  words = (value: string) => value,
) {
  const values = [...new Set([...seen, ...(chosen === undefined ? [] : [chosen])])].sort();
  return {
    '': none,
    ...Object.fromEntries(values.map((value) => [value, showLine(words(value))])),
  };
}

/** Days are those of the reader's zone. */
function rangeOf({ since, ...conditions }: ReturnType<typeof readConditions>) {
  if (since !== 'today' && since !== 'yesterday')
    return since ? { ...conditions, since } : conditions;
  const offsetMs = zoneOffsetMs(zone.value, Date.now());
  const today = Math.floor((Date.now() + offsetMs) / dayMs) * dayMs - offsetMs;
  const iso = (ms: number) => new Date(ms).toISOString();
  if (since === 'today') return { ...conditions, since: iso(today) };
  return { ...conditions, since: iso(today - dayMs), until: iso(today) };
}

const dayMs = 86_400_000;

function NoChanges({ conditions }: Pick<BarProps, 'conditions'>): JSX.Element {
  if (Object.keys(conditions).length === 0) return <Empty title="Nothing was changed yet" />;
  return (
    <Empty title="No change matches">
      {conditions.target && (
        <>
          <NamesLike name={conditions.target} parameter="target" />
          <p>The name of anything else has to be written in full, too.</p>
        </>
      )}
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
