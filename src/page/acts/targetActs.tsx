import { callApi } from '../api/callApi.ts';
import { ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';
import { showSecret } from './showSecret.tsx';
import { type Target, TargetFields, TargetWishes } from './targetFields.tsx';

/** Asks for all of it, and shows a new secret. Throws ApiProblem, as those below do. */
export async function addTarget(): Promise<void> {
  const wishes = new TargetWishes(null);
  const body = <TargetFields wishes={wishes} isNew />;
  const made = await ask({ title: 'Add a target', body, act: 'Add the target' }, () => {
    const { address, kind, name } = wishes;
    return callApi('POST /notify/targets', {
      body: { name: name.trim(), kind, address: address.trim(), ...wishes.rules() },
    });
  });
  if (made === undefined) return;
  const { kind, name } = wishes;
  const shown = showLine(name);
  if (made.secret === null) {
    const hint = 'Only nodes that have a mail server send mail: send a test to it.';
    return say({ text: `${shown} is added.`, ...(kind === 'mail' && { hint }) });
  }
  const says = 'Its messages are signed with this secret';
  await showSecret(name, { says, secret: made.secret });
}

/** Asks for what changes: where it goes, and which events. */
export async function changeTarget(target: Target): Promise<void> {
  const wishes = new TargetWishes(target);
  const question = {
    title: `Change ${showLine(target.name)}?`,
    body: <TargetFields wishes={wishes} isNew={false} />,
    act: 'Change the target',
  };
  await ask(question, async () => {
    const { changed, name } = await callApi('PATCH /notify/targets/{target}', {
      path: { target: target.name },
      body: { address: wishes.address.trim(), ...wishes.rules() },
    });
    say({ text: `${showLine(name)} is ${changed ? 'changed' : 'like this already'}.` });
  });
}

/** Sends something at once; what became of it is in the log. */
export async function testTarget({ name }: Target): Promise<void> {
  await callApi('POST /notify/targets/{target}/test', { path: { target: name } });
  say({ text: `A test to ${showLine(name)} is on its way.`, hint: 'The log says how it went.' });
}

/** Has what was given up sent again; asks first. */
export async function retryTarget({ givenUp, name }: Target): Promise<void> {
  const count = countOf(givenUp, 'notification');
  const question = {
    title: `Send ${count} to ${showLine(name)} again?`,
    body: <p>They were given up, and may be a day old.</p>,
    act: `Send ${count}`,
  };
  await ask(question, async () => {
    const { notifications } = await callApi('POST /notify/targets/{target}/retry', {
      path: { target: name },
    });
    say({ text: `${countOf(notifications, 'notification is', 'notifications are')} sent again.` });
  });
}

/** Asks first. */
export async function removeTarget({ name, waiting }: Target): Promise<void> {
  const shown = showLine(name);
  const lost = countOf(waiting, 'notification that waits is', 'notifications that wait are');
  const question = {
    title: `Remove ${shown}?`,
    body: (
      <p>
        Nothing is sent to it any more{waiting > 0 && `: ${lost} not sent`}. Jobs that name it have
        to be changed first.
      </p>
    ),
    ...{ act: 'Remove the target', isDanger: true },
  };
  await ask(question, async () => {
    await callApi('DELETE /notify/targets/{target}', { path: { target: name } });
    say({ text: `${shown} is removed.` });
  });
}
