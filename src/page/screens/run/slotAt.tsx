import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { chosenMoment, type Life } from './chosenMoment.ts';

/** The machine of a slot, with the states highlighted in which it may have been at a moment. */
export function SlotAt({ life }: { readonly life: Life }): JSX.Element {
  const { states } = chosenMoment(life);
  const loaded = useSignal<typeof import('../machines/chart.tsx') | null>(null);
  const text = states.length === 1 ? 'then' : 'possible';
  const key = states.join(' or ');
  const marks = useMemo(
    () => states.map((state) => ({ state: `slot.${state}`, text, isActive: true })),
    [key],
  );
  const open = async ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => {
    if (currentTarget.open) loaded.value ??= await import('../machines/chart.tsx');
  };
  return (
    <details onToggle={open}>
      <summary>State of the slot: {key || 'not known'}</summary>
      {loaded.value && <loaded.value.Chart name="slot" marks={marks} />}
    </details>
  );
}
