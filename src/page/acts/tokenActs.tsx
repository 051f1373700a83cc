import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiProblem } from '../api/apiProblem.ts';
import { callApi } from '../api/callApi.ts';
import { useResource } from '../api/useResource.ts';
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
  const wishes = {
    name: '',
    role: 'viewer' as keyof typeof roles,
    groups: signal(''),
    expires: '',
  };
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
        label="Only for these groups of jobs, separated by commas (empty: all)"
        onText={(text) => {
          wishes.groups.value = text;
        }}
      />
      <UnknownGroups groups={wishes.groups} />
      <Asked
        label="Expires after, for example 90d (empty: never)"
        onText={(text) => {
          wishes.expires = text.trim();
        }}
      />
    </>
  );
  const made = await ask({ title: 'Add a token', body, act: 'Add the token' }, async () => {
    const { expires, name, role } = wishes;
    const groups = groupsIn(wishes.groups.value);
    const scope = { ...(groups.length > 0 && { groups }), ...(expires !== '' && { expires }) };
    return callApi('POST /tokens', { body: { name, role, ...scope } }).catch((error: unknown) => {
      if (!(error instanceof ApiProblem && error.fields.has('expires'))) throw error;
      const detail = `“${showLine(expires)}” is no time to come: write how long it is good for.`;
      throw new ApiProblem(400, { detail, hint: 'For example 90d, 12h, or 2030-01-31T09:30:00Z.' });
    });
  });
  if (made === undefined) return;
  const says = 'Its holder logs in with this';
  await showSecret(wishes.name, { says, secret: made.secret ?? '' });
}

function groupsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((group) => group !== '');
}

/** What is typed and is no group of any job: a slip, or one to come. */
function UnknownGroups({ groups }: { readonly groups: ReadonlySignal<string> }) {
  const present = useResource('groups', {
    read: (signal) => callApi('GET /job-groups', { signal }),
  }).data.value?.items;
  const unknown = groupsIn(groups.value).filter((group) => present?.includes(group) === false);
  if (unknown.length === 0) return null;
  return (
    <p class="box doubt" role="status">
      No job is in {unknown.map(showLine).join(', ')} yet.
    </p>
  );
}
