import { callApi } from '../api/callApi.ts';
import { confirm } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { showLine } from '../text/showControls.ts';

/** Asks first. Throws ApiProblem. */
export async function revokeToken(token: string, name: string): Promise<void> {
  const shown = showLine(name);
  const isMeant = await confirm({
    title: `Revoke ${shown}?`,
    body: <p>Every node refuses it from then on, also in browsers that it has logged in.</p>,
    ...{ act: 'Revoke the token', isDanger: true },
  });
  if (!isMeant) return;
  await callApi('DELETE /tokens/{token}', { path: { token } });
  say({ text: `${shown} is revoked.` });
}
