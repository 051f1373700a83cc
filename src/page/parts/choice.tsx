import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ApiProblem } from '../api/apiProblem.ts';
import { changeQuery, place } from '../state/place.ts';
import { isWordTyped, readSearch } from '../text/searchWords.ts';
import { showLine } from '../text/showControls.ts';
import { Icon } from './icons.tsx';

/** How long the reader pauses while typing before what is typed counts. */
const typingMs = 200;

interface SearchProps {
  readonly label: string;
  /** In the URL. */
  readonly name: string;
  /** A part of it is nothing: it counts as soon as it is one that is found, or was entered. */
  readonly isWhole?: boolean;
  /** Of jobs: `tag:nightly` is a condition of its own. */
  readonly hasWords?: boolean;
  /** Whole texts that have the part in them, to choose from. */
  find?(part: string): Promise<readonly string[]>;
}

type InputOf = Event & { readonly currentTarget: HTMLInputElement };

/** A text that stands in the URL as `name`; `/` leads to it. */
export function SearchField(props: SearchProps): JSX.Element {
  const { find, hasWords = false, isWhole = false, label, name } = props;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const found = useSignal<readonly string[]>([]);
  // What is typed and does not count yet stays in the field when the screen is drawn anew.
  const typed = useSignal<string | null>(null);
  const id = useId();
  const take = (value: string) => {
    clearTimeout(timer.current);
    typed.value = null;
    const { change, rest } = hasWords
      ? readSearch(value, place.value.query)
      : { change: {}, rest: value };
    changeQuery({ ...change, [name]: rest || undefined });
  };
  const suggest = async (part: string) => {
    found.value = (await find?.(part).catch(noneFound)) ?? [];
  };
  const takeWhole = async (value: string) => {
    await suggest(value);
    if (typed.value === value && (value === '' || found.value.includes(value))) take(value);
  };
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      typed.value = null;
    },
    [],
  );
  const onInput = (event: InputOf) => {
    clearTimeout(timer.current);
    const { value } = event.currentTarget;
    typed.value = value;
    if (isWhole && isChosen(event) && found.value.includes(value)) return take(value);
    if (hasWords && isWordTyped(value)) return;
    timer.current = setTimeout(() => (isWhole ? takeWhole(value) : take(value)), typingMs);
  };
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={hasWords ? `${label}, or tag:…` : label}
        title={hasWords ? wordsHint : undefined}
        value={typed.value ?? place.value.query.get(name) ?? ''}
        onInput={onInput}
        // Escape empties the field, and the browser tells it by this event alone.
        onSearch={({ currentTarget: { value } }: InputOf) => value === '' && take('')}
        {...((isWhole || hasWords) && {
          onChange: ({ currentTarget: { value } }: InputOf) => isRowPressed() || take(value),
        })}
        {...(isWhole && {
          list: id,
          onFocus: ({ currentTarget: { value } }: InputOf) => suggest(value),
        })}
        data-search
      />
      <kbd>/</kbd>
      {isWhole && <Suggested id={id} texts={found} />}
    </label>
  );
}

const wordsHint = 'tag:nightly or group:web, then Enter: only jobs that have it';

function Suggested({ id, texts }: { id: string; texts: ReadonlySignal<readonly string[]> }) {
  return (
    <datalist id={id}>
      {texts.value.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  );
}

/** The field is left for a row: a list that changed now would take it from under the mouse. */
function isRowPressed(): boolean {
  return document.querySelector(':is(tr, li):active') !== null;
}

/** Of what is suggested, and not typed. */
function isChosen(event: Event): boolean {
  return !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
}

/** Without suggestions it is a field all the same. */
function noneFound(error: unknown): string[] {
  if (error instanceof ApiProblem) return [];
  throw error;
}

interface ChoiceProps {
  /** In the URL. */
  readonly name: string;
  readonly label: string;
  /** By what the URL has; words apart by spaces are several values. `''` is what it is without. */
  readonly choices: Readonly<Record<string, string>>;
  /** Each is one value, also with spaces in it. */
  readonly isOne?: boolean;
  /** What else of the URL changes with it. */
  changesWith?(value: string): Parameters<typeof changeQuery>[0];
}

export function Choice({
  changesWith,
  choices,
  isOne = false,
  label,
  name,
}: ChoiceProps): JSX.Element {
  const chosen = place.value.query.getAll(name).join(' ');
  return (
    <select
      aria-label={label}
      class={chosen === '' ? '' : 'set'}
      value={chosen in choices ? chosen : ''}
      onChange={({ currentTarget: { value } }) =>
        changeQuery({
          ...changesWith?.(value),
          [name]: value === '' ? undefined : isOne ? value : value.split(' '),
        })
      }
    >
      {Object.entries(choices).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** A condition that a click somewhere else sets, and a click here takes away. */
export function Condition({ name, label }: { name: string; label: string }): JSX.Element {
  const values = place.value.query.getAll(name);
  return (
    <>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          class="chip set"
          title={`Show any ${label} again`}
          onClick={() => changeQuery({ [name]: values.filter((each) => each !== value) })}
        >
          {label}: {showLine(value)} <Icon name="close" />
        </button>
      ))}
    </>
  );
}
