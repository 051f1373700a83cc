import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { confirm } from '../parts/confirm.tsx';
import { showLine } from '../text/showControls.ts';

interface Shown {
  readonly says: string;
  readonly secret: string;
}

/** Shows the secret of something new, until its reader says that it is kept. */
export async function showSecret(name: string, { says, secret }: Shown): Promise<void> {
  const body = (
    <>
      <p>{says}, which is not shown again:</p>
      <Secret text={secret} />
    </>
  );
  const title = `${showLine(name)} is added`;
  await confirm({ title, body, act: 'I have kept it', isLast: true });
}

function Secret({ text }: { readonly text: string }): JSX.Element {
  const shown = useRef<HTMLPreElement>(null);
  const isCopied = useSignal(false);
  const copy = () => {
    if (shown.current === null) return;
    getSelection()?.selectAllChildren(shown.current);
    // The clipboard API is there by HTTPS alone.
    isCopied.value = document.execCommand('copy');
  };
  return (
    <>
      <pre ref={shown} class="command">
        {text}
      </pre>
      <button type="button" class="button plain" onClick={copy}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </button>
    </>
  );
}
