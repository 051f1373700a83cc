import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { ApiProblem } from '../api/apiProblem.ts';
import { TextWithCommands } from '../links/textWithCommands.tsx';
import { Icon } from './icons.tsx';

interface Message {
  readonly text: string;
  readonly hint?: string;
  /** Where to read more. */
  readonly link?: { readonly to: string; readonly text: string };
  /** What went wrong stays until it is closed. */
  readonly isBad?: boolean;
  /** What it is about, if a later one about the same is said instead of it. */
  readonly about?: string;
}

const messages = signal<readonly (Message & { readonly id: number })[]>([]);
/** Long enough to read one and to get to what it leads to (WCAG 2.2.1). */
const shownMs = 10_000;
const messagesMax = 3;
let lastId = 0;

/** Says what came of something. It stands over the page: nothing moves under the pointer. */
export function say(message: Message): void {
  lastId += 1;
  const id = lastId;
  const { about } = message;
  const others = messages.value.filter((each) => about === undefined || each.about !== about);
  messages.value = [...others, { ...message, id }].slice(-messagesMax);
  if (message.isBad !== true) closeLater(id);
}

// What leads to the place that is shown has been followed.
addEventListener('hashchange', () => {
  messages.value = messages.value.filter(({ link }) => link?.to !== location.hash);
});

/** Not while somebody points at a message or has gone to one with the keyboard. */
function closeLater(id: number): void {
  const isHeld = () => document.querySelector('.messages')?.matches(':hover, :focus-within');
  setTimeout(() => (isHeld() ? closeLater(id) : close(id)), shownMs);
}

/** Says what the node refused; anything else is thrown again. */
export function sayProblem(error: unknown): void {
  if (!(error instanceof ApiProblem)) throw error;
  say({ text: error.message, hint: error.hint, isBad: true });
}

function close(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}

export function Messages(): JSX.Element {
  return (
    <div class="messages" role="log" aria-live="polite" aria-label="Messages">
      {messages.value.map(({ hint, id, isBad, link, text }) => (
        <div key={id} class={`message${isBad ? ' bad' : ''}`}>
          <div>
            <p>{text}</p>
            {hint && (
              <p class="quiet">
                <TextWithCommands text={hint} />
              </p>
            )}
            {link && (
              <p>
                <a href={link.to}>{link.text}</a>
              </p>
            )}
          </div>
          <button type="button" class="button quiet" onClick={() => close(id)}>
            <Icon name="close" />
            <span class="unseen">Close</span>
          </button>
        </div>
      ))}
    </div>
  );
}
