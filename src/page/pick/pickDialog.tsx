import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { countOf } from '../text/formatNumber.ts';

/** What may be chosen. */
export interface PickItem {
  readonly text: string;
  /** What else there is to say of it. */
  readonly more?: string;
  /** Why it cannot be done at present. */
  readonly whyNot?: string | null;
  act(): void | Promise<void>;
}

interface Picking {
  /** What is looked for. */
  readonly label: string;
  /** Those that match the text; of an empty one those that are likely. */
  find(text: string, signal: AbortSignal): Promise<readonly PickItem[]>;
}

const open = signal<Picking | null>(null);

/** Lets the reader choose one of many by a part of its name. */
export function pick(picking: Picking): void {
  open.value = picking;
}

/** Where one chooses: a field, and under it what matches. */
export function PickDialog(): JSX.Element | null {
  const picking = open.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (picking !== null && dialog.current?.open === false) dialog.current.showModal();
  }, [picking]);
  if (picking === null) return null;
  const close = () => {
    open.value = null;
  };
  const act = (chosen: PickItem) => {
    dialog.current?.close();
    close();
    void chosen.act();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog picker"
      aria-label={picking.label}
      onClose={close}
      {...{ closedby: 'any' }}
    >
      <Picker picking={picking} onAct={act} />
    </dialog>
  );
}

/** How long the reader pauses while typing before what is typed is looked for. */
const typingMs = 80;

interface PickerProps {
  readonly picking: Picking;
  onAct(chosen: PickItem): void;
}

function Picker({ onAct, picking }: PickerProps): JSX.Element {
  const id = useId();
  const active = useSignal(0);
  const { found, read, reading } = useFound(picking, active);
  const picks = found.value ?? [];
  const move = (to: number) => {
    active.value = (to + picks.length) % Math.max(1, picks.length);
    document.getElementById(`${id}-${active.value}`)?.scrollIntoView({ block: 'nearest' });
  };
  const act = (chosen: PickItem | undefined) => {
    if (chosen !== undefined && !chosen.whyNot) onAct(chosen);
  };
  const onKeyDown = async (event: KeyboardEvent) => {
    const { isComposing, key } = event;
    if (isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(key)) return;
    event.preventDefault();
    if (key !== 'Enter') return move(active.value + (key === 'ArrowDown' ? 1 : -1));
    await reading.current;
    act(found.value?.[active.value]);
  };
  return (
    <>
      <label class="search">
        <Icon name="search" />
        <span class="unseen">{picking.label}</span>
        <input
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          placeholder={picking.label}
          aria-expanded={picks.length > 0}
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={picks.length > 0 ? `${id}-${active.value}` : undefined}
          onInput={({ currentTarget: { value } }) => read(value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div id={id} class="picks" role="listbox" aria-label={picking.label}>
        {picks.map((each, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field.
          <div
            key={`${each.text} ${each.more}`}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active.value}
            aria-disabled={Boolean(each.whyNot)}
            onClick={() => act(each)}
          >
            <span>{each.text}</span>
            <span class="quiet">{each.whyNot ?? each.more}</span>
          </div>
        ))}
      </div>
      <p class={picks.length > 0 ? 'unseen' : 'quiet'} role="status">
        {found.value !== null && countText(picks.length)}
      </p>
    </>
  );
}

function countText(count: number): string {
  return count === 0 ? 'Nothing matches.' : countOf(count, 'match', 'matches');
}

/** What matches the text that was given to `read` last. */
function useFound(picking: Picking, active: { value: number }) {
  const found = useSignal<readonly PickItem[] | null>(null);
  const leaving = useRef(new AbortController());
  /** What is found is of what is typed as soon as this is. */
  const reading = useRef<Promise<void>>(Promise.resolve());
  const find = async (text: string, left: AbortSignal) => {
    if (text !== '') await new Promise((resolve) => setTimeout(resolve, typingMs));
    if (left.aborted) return;
    const picks = await picking.find(text, left);
    if (left.aborted) return;
    found.value = picks;
    active.value = 0;
  };
  const read = (text: string) => {
    leaving.current.abort();
    leaving.current = new AbortController();
    reading.current = find(text, leaving.current.signal);
  };
  useEffect(() => {
    read('');
    return () => leaving.current.abort();
  }, [picking]);
  return { found, read, reading };
}
