import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ApiProblem } from '../api/apiProblem.ts';
import { type Role, whyNotAllowed } from '../api/session.ts';
import { Icon, type IconName } from './icons.tsx';
import { say } from './messages.tsx';

interface ActionProps {
  readonly children: ComponentChildren;
  readonly icon?: IconName;
  /** What the reader needs to do it; without, anybody may. */
  readonly needs?: Role;
  /** Why it cannot be done at present. */
  readonly whyNot?: string | null;
  readonly kind?: 'main' | 'danger' | 'plain' | 'quiet';
  /** Says what it is about, where the word alone does not: `Run backup now`. */
  readonly label?: string;
  /** What it rejects with, when it is an ApiProblem, is shown. */
  readonly onAct: () => void | Promise<void>;
}

/**
 * A button. What the reader may not do is not hidden: it is disabled and says why, also to who
 * comes to it by the keyboard.
 */
export function Action(props: ActionProps): JSX.Element {
  const { children, icon, kind = 'plain', label, needs, onAct, whyNot = null } = props;
  const isBusy = useSignal(false);
  const reasonId = useId();
  const reason = (needs === undefined ? null : whyNotAllowed(needs)) ?? whyNot;
  const act = async () => {
    if (reason !== null || isBusy.value) return;
    isBusy.value = true;
    try {
      await onAct();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      say({ text: error.message, hint: error.hint, isBad: true });
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <button
      type="button"
      class={`button ${kind}`}
      aria-disabled={reason !== null}
      aria-busy={isBusy.value}
      aria-label={label}
      aria-describedby={reason === null ? undefined : reasonId}
      title={reason ?? label}
      onClick={act}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {reason !== null && (
        <span id={reasonId} class="unseen">
          {reason}
        </span>
      )}
    </button>
  );
}

/** The same as an icon alone, in a row; its label is what it is called. */
export function IconAction(
  props: Omit<ActionProps, 'children'> & { label: string; icon: IconName },
) {
  return (
    <Action {...props} kind="quiet">
      <span class="unseen">{props.label}</span>
    </Action>
  );
}
