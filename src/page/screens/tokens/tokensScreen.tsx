import type { JSX } from 'preact';
import { addToken, revokeToken } from '../../acts/tokenActs.tsx';
import { type Answer, callApi } from '../../api/callApi.ts';
import { caller, isBehindProxy, whyNotAllGroups } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { Action } from '../../parts/action.tsx';
import { SearchField } from '../../parts/choice.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Ago, FullTime } from '../../parts/timeText.tsx';
import { linkTo, place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';

type Token = Answer<'GET /tokens'>['items'][number];

/** Who may do what: tokens, whose secrets nobody can read again. */
export function TokensScreen(): JSX.Element {
  const tokens = useResource('tokens', {
    read: (signal) => callApi('GET /tokens', { signal }),
  });
  const text = (place.value.query.get('text') ?? '').toLowerCase();
  const shown = (items: readonly Token[]) =>
    items.filter(({ name }) => name.toLowerCase().includes(text));
  const items = tokens.data.value?.items;
  return (
    <div class="screen">
      <header class="bar">
        <h1>Tokens</h1>
        <SearchField name="text" label="Search by name" />
        <p class="count quiet" role="status">
          {items && countOf(shown(items).length, 'token')}
        </p>
        <Action
          icon="add"
          needs="admin"
          whyNot={whyNotAllGroups()}
          onAct={async () => {
            await addToken();
            tokens.reload();
          }}
        >
          Add a token
        </Action>
      </header>
      <Loaded of={tokens} lines={8}>
        {(loaded) =>
          shown(loaded.items).length === 0 ? (
            <Empty title={text === '' ? 'There is no token' : 'No token matches'} />
          ) : (
            <TokenTable tokens={shown(loaded.items)} onChange={() => tokens.reload()} />
          )
        }
      </Loaded>
    </div>
  );
}

interface TableProps {
  readonly tokens: readonly Token[];
  onChange(): void;
}

function TokenTable({ onChange, tokens }: TableProps): JSX.Element {
  return (
    <Scrolls label="Tokens">
      <table class="roomy">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Groups</th>
            <th scope="col" class="made">
              Made
            </th>
            <th scope="col" class="made">
              Last used
            </th>
            <th scope="col">Expires</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ expired, expiresAt, groups, lastUsedAt, madeAt, name, role, tokenId }) => (
            <tr key={tokenId}>
              <td class="nowrap">
                <a href={linkTo(['audit'], { actor: name })} title="What it changed" data-row>
                  {showLine(name)}
                </a>{' '}
                {!isBehindProxy && name === caller.value?.name && <span class="chip">yours</span>}
              </td>
              <td class="nowrap">{role}</td>
              <td>{groups === null ? 'all' : showLine(groups.join(', '))}</td>
              <td class="nowrap number made">
                <FullTime at={madeAt} />
              </td>
              <td class="nowrap number made">
                <Ago at={lastUsedAt} none="never" />
              </td>
              <td class="nowrap number">
                {expired ? (
                  <StatusBadge status="ended" word="expired" />
                ) : (
                  <FullTime at={expiresAt} none="never" />
                )}
              </td>
              <td class="acts">
                <Action
                  needs="admin"
                  kind="danger"
                  label={`Revoke ${showLine(name)}`}
                  onAct={async () => {
                    await revokeToken(tokenId, name);
                    onChange();
                  }}
                >
                  Revoke
                </Action>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
