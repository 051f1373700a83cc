import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { changeQuery, place } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import { Icon } from './icons.tsx';

/** How long the reader pauses while typing before what is typed counts. */
const typingMs = 200;

interface SearchProps {
  readonly label: string;
  /** In the URL. */
  readonly name: string;
  /** A part of it is nothing: it counts when it was entered. */
  readonly isWhole?: boolean;
}

/** A text that stands in the URL as `name`; `/` leads to it. */
export function SearchField({ isWhole = false, label, name }: SearchProps): JSX.Element {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const search = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => {
    clearTimeout(timer.current);
    const take = () => changeQuery({ [name]: value || undefined });
    if (isWhole) take();
    else timer.current = setTimeout(take, typingMs);
  };
  return (
    <label class="search">
      <Icon name="search" />
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={place.value.query.get(name) ?? ''}
        {...{ [isWhole ? 'onChange' : 'onInput']: search }}
        data-search
      />
      <kbd>/</kbd>
    </label>
  );
}

interface ChoiceProps {
  /** In the URL. */
  readonly name: string;
  readonly label: string;
  /** By what the URL has; words apart by spaces are several values. `''` is what it is without. */
  readonly choices: Readonly<Record<string, string>>;
  /** Each is one value, also with spaces in it. */
  readonly isOne?: boolean;
}

export function Choice({ choices, isOne = false, label, name }: ChoiceProps): JSX.Element {
  const chosen = place.value.query.getAll(name).join(' ');
  return (
    <select
      aria-label={label}
      class={chosen === '' ? '' : 'set'}
      value={chosen in choices ? chosen : ''}
      onChange={({ currentTarget: { value } }) =>
        changeQuery({ [name]: value === '' ? undefined : isOne ? value : value.split(' ') })
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
