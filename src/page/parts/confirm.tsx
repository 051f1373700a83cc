import { type ReadonlySignal, signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiProblem } from '../api/apiProblem.ts';
import { ProblemBox } from './loaded.tsx';

interface Question {
  readonly title: string;
  readonly body: ComponentChildren;
  /** The verb of the button: `Remove backup`. */
  readonly act: string;
  readonly isDanger?: boolean;
  /** It says what cannot be said again: only its button closes it. */
  readonly isLast?: boolean;
  /** Enter does it at once: what it does can be done again, and hurts nobody. */
  readonly isQuick?: boolean;
}

interface OpenQuestion {
  readonly question: Question;
  readonly isBusy: ReadonlySignal<boolean>;
  /** What the node refused of it. */
  readonly problem: ReadonlySignal<ApiProblem | null>;
  act(): Promise<void>;
  leave(): void;
}

const open = signal<OpenQuestion | null>(null);

/** Asks whether to do something; resolves to whether. */
export async function confirm(question: Question): Promise<boolean> {
  return (await ask(question, async () => true)) === true;
}

/**
 * Asks whether to do something, and does it. What the node refuses stands in the question, which
 * stays open with what is filled in. Throws ApiProblem when the question was left meanwhile.
 * @returns what came of it; undefined: it is not meant
 */
export function ask<T>(question: Question, make: () => Promise<T>): Promise<T | undefined> {
  open.value?.leave();
  return new Promise((resolve, reject) => {
    const [isBusy, problem] = [signal(false), signal<ApiProblem | null>(null)];
    const close = () => {
      if (open.value === asked) open.value = null;
    };
    const leave = () => {
      close();
      if (!isBusy.value) resolve(undefined);
    };
    const act = async () => {
      if (isBusy.value) return;
      isBusy.value = true;
      problem.value = null;
      try {
        const made = await make();
        close();
        resolve(made);
      } catch (error) {
        const isShown = error instanceof ApiProblem && error.status !== 401;
        if (isShown && open.value === asked) problem.value = error;
        else {
          close();
          reject(error);
        }
      } finally {
        isBusy.value = false;
      }
    };
    const asked: OpenQuestion = { question, isBusy, problem, act, leave };
    open.value = asked;
  });
}

/** Where questions are asked. */
export function ConfirmDialog(): JSX.Element | null {
  const asked = open.value;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asked === null || dialog.current?.open !== false) return;
    dialog.current.showModal();
    dialog.current.querySelector<HTMLElement>('[data-quick]')?.focus();
  }, [asked]);
  if (asked === null) return null;
  const { isBusy, leave, problem, question } = asked;
  const { act, body, isDanger, isLast = false, isQuick = false, title } = question;
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="question"
      data-stays={isLast || undefined}
      onCancel={(event) => isLast && event.preventDefault()}
      onClose={leave}
      onKeyDown={(event) => {
        if (isDanger || !isEnterOfLine(event)) return;
        event.preventDefault();
        void asked.act();
      }}
      {...(isLast && { closedby: 'none' })}
    >
      <h2 id="question">{title}</h2>
      <div class="body">{body}</div>
      {problem.value !== null && <ProblemBox problem={problem.value} />}
      <div class="actions">
        {!isLast && (
          <button type="button" class="button plain" onClick={leave}>
            Cancel
          </button>
        )}
        <button
          type="button"
          class={`button ${isDanger ? 'danger' : 'main'}`}
          data-quick={isQuick || undefined}
          aria-busy={isBusy.value}
          onClick={asked.act}
        >
          {act}
        </button>
      </div>
    </dialog>
  );
}

/** Whether it ends a line of text, as in a form of the browser. */
function isEnterOfLine({ isComposing, key, target }: KeyboardEvent): boolean {
  return (
    key === 'Enter' && !isComposing && target instanceof HTMLInputElement && target.type === 'text'
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
