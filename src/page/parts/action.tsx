import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type Role, whyNotAllowed } from '../api/session.ts';
import { Icon, type IconName } from './icons.tsx';
import { say, sayProblem } from './messages.tsx';

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
 * comes to it by the keyboard or presses it.
 */
export function Action(props: ActionProps): JSX.Element {
  const { children, icon, label } = props;
  const reasonId = useId();
  const { attributes, reason } = useButton(props, props.kind ?? 'plain', reasonId);
  return (
    <button type="button" title={reason ?? label} {...attributes}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {reason !== null && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </button>
  );
}

interface IconActionProps extends Omit<ActionProps, 'children' | 'kind' | 'whyNot'> {
  readonly icon: IconName;
  readonly label: string;
  /** Of the element that says why the reader may not do it: once for all rows of a list. */
  readonly reasonId: string;
}

/** The same as an icon alone, in a row; its label is what it is called. */
export function IconAction(props: IconActionProps): JSX.Element {
  const { attributes, reason } = useButton(props, 'quiet', props.reasonId);
  return (
    <button type="button" title={reason ?? props.label} {...attributes}>
      <Icon name={props.icon} />
    </button>
  );
}

function useButton(
  { label, needs, onAct, whyNot = null }: Omit<ActionProps, 'children'>,
  kind: NonNullable<ActionProps['kind']>,
  reasonId: string,
) {
  const isBusy = useSignal(false);
  const reason = (needs === undefined ? null : whyNotAllowed(needs)) ?? whyNot;
  const act = async () => {
    if (reason !== null) return say({ text: reason, about: 'why not' });
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      await onAct();
    } catch (error) {
      sayProblem(error);
    } finally {
      isBusy.value = false;
    }
  };
  const attributes = {
    class: `button ${kind}`,
    'aria-disabled': reason !== null,
    'aria-busy': isBusy.value,
    'aria-label': label,
    'aria-describedby': reason === null ? undefined : reasonId,
    onClick: act,
  };
  return { attributes, reason };
}
