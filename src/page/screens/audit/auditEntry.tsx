import type { JSX } from 'preact';
import type { Answer } from '../../api/callApi.ts';
import { FieldChanges } from '../../parts/fieldChanges.tsx';
import { FullTime } from '../../parts/timeText.tsx';
import { shortRun } from '../../runs/runWords.ts';
import { changeQuery, linkTo } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import { actionWords } from './actionWords.ts';

type AuditRow = Answer<'GET /audit'>['items'][number];

/** One change: who made it and when, and what it changed. */
export function AuditEntry({ row }: { readonly row: AuditRow }): JSX.Element {
  const { action, actor, address, at, group, target, via } = row;
  const to = placeOf(row);
  // Its target is the id of a token, whose name is the actor's.
  const isLogin = action.startsWith('login.');
  const from = via === 'cli' ? 'command line' : (address ?? 'API');
  // A person and a token may have the same name.
  const kind = via === 'proxy' ? 'person, ' : '';
  return (
    <li>
      <span class="number">
        <FullTime at={at} />
      </span>
      <span class="who-did">
        <FilterButton name="actor" value={actor} title="Only changes by" />{' '}
        <span class="quiet">{showLine(`${kind}${from}`)}</span>
      </span>
      <FilterButton
        name="action"
        value={action}
        shown={actionWords(action)}
        title="Only changes like"
      />
      <span class="what">
        {to === null ? (
          <strong title={showLine(target)}>{showLine(isLogin ? actor : target)}</strong>
        ) : (
          <a href={linkTo(to)} title={showLine(target)} data-row>
            {to[0] === 'runs' ? shortRun(target) : showLine(target)}
          </a>
        )}{' '}
        {group !== null && group !== 'default' && <span class="chip group">{showLine(group)}</span>}
        <Changes row={row} />
      </span>
    </li>
  );
}

interface FilterProps {
  /** In the URL. */
  readonly name: 'actor' | 'action';
  readonly value: string;
  /** Instead of it. */
  readonly shown?: string;
  readonly title: string;
}

function FilterButton({ name, title, value, ...words }: FilterProps): JSX.Element {
  const shown = showLine(words.shown ?? value);
  return (
    <button
      type="button"
      class="button quiet"
      title={`${title} ${showLine(value)}`}
      onClick={() => changeQuery({ [name]: value })}
    >
      {shown}
    </button>
  );
}

function placeOf({ action, target }: AuditRow): readonly string[] | null {
  const [kind = ''] = action.split('.');
  if (kind === 'job') return ['jobs', target];
  if (kind === 'run') return ['runs', target];
  const screens = { node: 'cluster', token: 'tokens', group: 'groups', limit: 'limits' } as const;
  if (kind === 'notify') return ['notifications'];
  return kind in screens ? [screens[kind as keyof typeof screens]] : null;
}

function Changes({ row }: { readonly row: AuditRow }): JSX.Element | null {
  const changes = changesOf(row);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{countOf(changes.length, 'value')}</summary>
      <FieldChanges changes={changes} />
    </details>
  );
}

/** What differs, by its names: of a job the fields that people give it. */
function changesOf({ after, before, changes = [] }: AuditRow) {
  const [old, present] = [valuesIn(before), valuesIn(after)];
  const others = [...new Set([...old.keys(), ...present.keys()])]
    .map((field) => ({ field, before: old.get(field), after: present.get(field) }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
  // Of what was added or is removed nothing stands beside its values.
  const fields = changes.map((change) => ({
    field: change.field,
    before: before === null ? undefined : change.before,
    after: after === null ? undefined : change.after,
  }));
  return [...others, ...fields];
}

/** The values of something that is no job's definition, spans in words. */
function valuesIn(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([['value', value]]);
  const { definition: _, ...rest } = value as Readonly<Record<string, unknown>>;
  const given = Object.entries(rest).filter(([, each]) => each !== null);
  return new Map(given.map(inWords));
}

function inWords([name, value]: [string, unknown]): readonly [string, unknown] {
  const isSpan = name.endsWith('Ms') && typeof value === 'number';
  return isSpan ? [name.slice(0, -2), formatDuration(value)] : [name, value];
}
