import { effect, signal } from '@preact/signals';
import { localZone, type Zone } from '../text/formatTime.ts';

/** What this reader chose, kept in this browser: a page that is loaded again has it. */
export const zone = kept<Zone>('zone', localZone);

type Colours = 'system' | 'light' | 'dark';
export const colours = kept<Colours>('colours', 'system');

/** Keys of one letter can be switched off (WCAG 2.1.4). */
export const shortcutsChoice = kept<'on' | 'off'>('shortcuts', 'on');

export const wrapsOutput = kept<'on' | 'off'>('wrap', 'on');

effect(() => {
  const root = document.documentElement;
  if (colours.value === 'system') delete root.dataset.colours;
  else root.dataset.colours = colours.value;
});

function kept<Value extends string>(name: string, first: Value) {
  const key = `statecron.${name}`;
  const choice = signal(read(key, first));
  effect(() => {
    try {
      localStorage.setItem(key, choice.value);
    } catch {
      // Storage may be forbidden: the choice holds until the page is closed.
    }
  });
  return choice;
}

function read<Value extends string>(key: string, first: Value): Value {
  try {
    return (localStorage.getItem(key) as Value | null) ?? first;
  } catch {
    return first; // storage may be forbidden
  }
}
