import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { shortcutsChoice } from '../state/choices.ts';
import { meanings } from '../text/meanings.ts';
import { callerText } from './callerText.ts';
import type { Screen } from './screen.ts';

export const helpIsOpen = signal(false);

const keys = [
  ['/', 'search'],
  ['j', 'next row'],
  ['k', 'row before'],
  ['Enter', 'open the row'],
  ['x', 'select the row'],
  ['b', 'to what can be done to the rows that are selected'],
  ['Escape', 'select none'],
  ['Ctrl K', 'to a job or a screen by its name, or what can be done to the job that is shown'],
  ['.', 'freeze what is shown, and let it go on'],
  ['?', 'these keys, and words of the page'],
] as const;

/** The keys, what words mean, and where to read more. */
export function HelpDialog({ screens }: { readonly screens: readonly Screen[] }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpIsOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpIsOpen.value]);
  const close = () => {
    helpIsOpen.value = false;
  };
  const places = screens.filter(({ letter }) => letter !== undefined);
  const isOn = shortcutsChoice.value === 'on';
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {places.map(({ inNavigation, letter, title }) => (
          <div key={letter}>
            <dt>
              <kbd>g</kbd> <kbd>{letter}</kbd>
            </dt>
            <dd>{inNavigation?.word ?? title}</dd>
          </div>
        ))}
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>Words of this page</summary>
        <dl class="meanings">
          {Object.entries(meanings).map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => {
            shortcutsChoice.value = isOn ? 'off' : 'on';
          }}
        />
        Use these keys (those of Ctrl work in any case)
      </label>
      <p>You are {callerText()}.</p>
      <p>
        <a href="docs">Documentation</a> · <a href="docs/reference">API</a>
      </p>
      <div class="actions">
        <button type="button" class="button main" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
