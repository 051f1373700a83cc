import type { ComponentChildren, JSX } from 'preact';
import { muteAny } from '../../acts/muteActs.tsx';
import { addTarget } from '../../acts/targetActs.tsx';
import { type Answer, callApi } from '../../api/callApi.ts';
import { whyNotAdministrator, whyNotAllGroups } from '../../api/session.ts';
import { useGrowing } from '../../api/useGrowing.ts';
import { type Resource, useResource } from '../../api/useResource.ts';
import type { Mute } from '../../jobs/muted.tsx';
import { Action } from '../../parts/action.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { place } from '../../state/place.ts';
import { Mutes } from './mutes.tsx';
import { NotificationLog, readLogConditions } from './notificationLog.tsx';
import { Targets } from './targets.tsx';

/** Where notifications go, what is muted, and what was sent. */
export function NotificationsScreen(): JSX.Element {
  const mutes = useResource<readonly Mute[]>('mutes', {
    read: async (signal) => (await callApi('GET /notify/mutes', { signal })).items,
    everyMs: 10_000,
  });
  const whyNot = whyNotAdministrator();
  return (
    <div class="screen notifications">
      {whyNot === null ? (
        <OfAdmin mutes={mutes}>
          <Muted mutes={mutes} />
        </OfAdmin>
      ) : (
        <>
          <Bar mutes={mutes} onAdd={() => undefined} />
          <Section title="Targets and log">
            <p class="quiet">
              {whyNot} An address may hold a password, so only administrators of all groups see
              where notifications go and what was sent. Ask one of them.
            </p>
          </Section>
          <Muted mutes={mutes} />
        </>
      )}
    </div>
  );
}

type MutesRead = Resource<readonly Mute[]>;

function Bar({ mutes, onAdd }: { readonly mutes: MutesRead; onAdd(): void }): JSX.Element {
  const add = async () => {
    await addTarget();
    onAdd();
  };
  const muteSomething = async () => {
    await muteAny();
    mutes.reload();
  };
  return (
    <header class="bar">
      <h1>Notifications</h1>
      <div class="tools">
        <Action icon="add" needs="admin" whyNot={whyNotAllGroups()} onAct={add}>
          Add a target
        </Action>
        <Action icon="mute" needs="operator" onAct={muteSomething}>
          Mute alerts
        </Action>
      </div>
    </header>
  );
}

function Muted({ mutes }: { readonly mutes: MutesRead }): JSX.Element {
  return (
    <Section title="Muted">
      <Loaded of={mutes} lines={1}>
        {(loaded) => <Mutes mutes={loaded} onChange={() => mutes.reload()} />}
      </Loaded>
    </Section>
  );
}

const pageRows = 50;
/** The node sends no more. */
const rowsMax = 10_000;

interface AdminProps {
  readonly mutes: MutesRead;
  /** Between the targets and the log. */
  readonly children: ComponentChildren;
}

function OfAdmin({ children, mutes }: AdminProps): JSX.Element {
  const targets = useResource('targets', {
    read: (signal) => callApi('GET /notify/targets', { signal }),
    everyMs: 10_000,
  });
  const { query } = place.value;
  const conditions = readLogConditions(query);
  const log = useGrowing<Answer<'GET /notify/log'>>(JSON.stringify(conditions), {
    read: (signal, parts) => {
      const wanted = { ...conditions, limit: `${parts * pageRows}` };
      return callApi('GET /notify/log', { query: wanted, signal });
    },
    everyMs: 5_000,
  });
  const reload = () => {
    for (const each of [targets, log, mutes]) each.reload();
  };
  const rows = log.parts * pageRows;
  const isMore = log.data.value?.items.length === rows && rows < rowsMax;
  return (
    <>
      <Bar mutes={mutes} onAdd={reload} />
      <Section title="Targets">
        <Loaded of={targets} lines={4}>
          {({ items }) => (
            <Targets targets={items} mutes={mutes.data.value ?? []} onChange={reload} />
          )}
        </Loaded>
      </Section>
      {children}
      <NotificationLog {...{ log }} onMore={isMore ? log.more : null} />
    </>
  );
}
