import { confirm } from '../parts/confirm.tsx';
import { showLine } from '../text/showControls.ts';

/** Shows the secret of something new, until its reader says that it is kept. */
export async function showSecret(name: string, says: string, secret: string): Promise<void> {
  const body = (
    <>
      <p>{says}, which is not shown again:</p>
      <pre class="command">{secret}</pre>
    </>
  );
  await confirm({ title: `${showLine(name)} is added`, body, act: 'I have kept it' });
}
