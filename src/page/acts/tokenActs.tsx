import { callApi } from '../api/callApi.ts';
import { Asked, ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { showLine } from '../text/showControls.ts';
import { showSecret } from './showSecret.tsx';

/** Asks first. Throws ApiProblem. */
export async function revokeToken(token: string, name: string): Promise<void> {
  const shown = showLine(name);
  const question = {
    title: `Revoke ${shown}?`,
    body: <p>Every node refuses it from then on, also in browsers that it has logged in.</p>,
    ...{ act: 'Revoke the token', isDanger: true },
  };
  await ask(question, async () => {
    await callApi('DELETE /tokens/{token}', { path: { token } });
    say({ text: `${shown} is revoked.` });
  });
}

const roles = {
  viewer: 'viewer: reads',
  operator: 'operator: runs and changes jobs',
  admin: 'admin: everything',
} as const;

/** Asks for all of it, and shows its secret. Throws ApiProblem. */
export async function addToken(): Promise<void> {
  const wishes = { name: '', role: 'viewer' as keyof typeof roles, groups: '', expires: '' };
  const body = (
    <>
      <Asked
        label="Name of the person or program that will use it"
        onText={(text) => {
          wishes.name = text.trim();
        }}
      />
      <label class="asked">
        Role
        <select
          onChange={({ currentTarget }) => {
            wishes.role = currentTarget.value as keyof typeof roles;
          }}
        >
          {Object.entries(roles).map(([role, word]) => (
            <option key={role} value={role}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <Asked
        label="Only for these groups of jobs (empty: all)"
        onText={(text) => {
          wishes.groups = text;
        }}
      />
      <Asked
        label="Expires after, for example 90d (empty: never)"
        onText={(text) => {
          wishes.expires = text.trim();
        }}
      />
    </>
  );
  const made = await ask({ title: 'Add a token', body, act: 'Add the token' }, () => {
    const { expires, name, role } = wishes;
    const groups = wishes.groups.split(/[\s,]+/).filter((group) => group !== '');
    const scope = { ...(groups.length > 0 && { groups }), ...(expires !== '' && { expires }) };
    return callApi('POST /tokens', { body: { name, role, ...scope } });
  });
  if (made === undefined) return;
  await showSecret(wishes.name, 'Its holder logs in with this', made.secret ?? '');
}
