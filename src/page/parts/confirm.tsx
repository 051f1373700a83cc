import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Question {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The verb of the button: `Remove backup`. */
  readonly act: string;
  readonly isDanger?: boolean;
  /** Enter does it at once: what it does can be done again, and hurts nobody. */
  readonly isQuick?: boolean;
}

const open = signal<(Question & { answer(yes: boolean): void }) | null>(null);

/** Asks whether to do something; resolves to whether. */
export function confirm(question: Question): Promise<boolean> {
  open.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      open.value = null;
      resolve(yes);
    };
    open.value = { ...question, answer };
  });
}

/** Where questions are asked. */
export function ConfirmDialog(): JSX.Element | null {
  const question = open.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (question === null || dialog.current?.open !== false) return;
    dialog.current.showModal();
    dialog.current.querySelector<HTMLElement>('[data-quick]')?.focus();
  }, [question]);
  if (question === null) return null;
  const { act, answer, body, isDanger, isQuick = false, title } = question;
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="question" onClose={() => answer(false)}>
      <h2 id="question">{title}</h2>
      <div class="body">{body}</div>
      <div class="actions">
        <button type="button" class="button plain" onClick={() => answer(false)}>
          Cancel
        </button>
        <button
          type="button"
          class={`button ${isDanger ? 'danger' : 'main'}`}
          data-quick={isQuick || undefined}
          onClick={() => answer(true)}
        >
          {act}
        </button>
      </div>
    </dialog>
  );
}

interface AskedProps {
  readonly label: string;
  /** What stands there at first. */
  readonly first?: string;
  readonly kind?: 'text' | 'number';
  readonly charactersMax?: number;
  onText(text: string): void;
}

/** A line of text that a question asks for. */
export function Asked(props: AskedProps): JSX.Element {
  const { charactersMax = 500, first = '', kind = 'text', label, onText } = props;
  return (
    <label class="asked">
      {label}
      <input
        type="text"
        inputMode={kind === 'number' ? 'numeric' : 'text'}
        maxLength={charactersMax}
        defaultValue={first}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </label>
  );
}
