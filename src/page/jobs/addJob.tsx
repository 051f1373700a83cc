import type { JSX } from 'preact';
import { whyNotAllowed } from '../api/session.ts';
import { Action } from '../parts/action.tsx';
import { Icon } from '../parts/icons.tsx';
import { linkTo } from '../state/place.ts';

/** Leads to the form of a new job; who may add none is told why. */
export function AddJob({ children }: { readonly children: string }): JSX.Element {
  if (whyNotAllowed('operator') !== null) {
    return (
      <Action icon="add" needs="operator" onAct={() => undefined}>
        {children}
      </Action>
    );
  }
  return (
    <a class="button main" href={linkTo(['add'])}>
      <Icon name="add" />
      <span>{children}</span>
    </a>
  );
}
