import { type Answer, callApi } from '../api/callApi.ts';
import { Asked, ask } from '../parts/confirm.tsx';
import { say } from '../parts/messages.tsx';
import { countOf } from '../text/formatNumber.ts';
import { showLine } from '../text/showControls.ts';

type Limit = Answer<'GET /limits'>['items'][number];

/** Asks for which group, and how many. Throws ApiProblem, as those below do. */
export async function addLimit(): Promise<void> {
  let [group, max] = ['', ''];
  const question = {
    title: 'Limit a group of jobs',
    body: (
      <>
        <p>{meaning}</p>
        <Asked
          label="Group of jobs"
          onText={(text) => {
            group = text.trim();
          }}
        />
        <Asked
          label="The most at once"
          kind="number"
          onText={(text) => {
            max = text;
          }}
        />
      </>
    ),
    act: 'Set the limit',
  };
  await ask(question, () => putLimit(group, max));
}

/** Asks how many. */
export async function changeLimit({ group, jobs, max }: Limit): Promise<void> {
  let wanted = `${max}`;
  const question = {
    title: `Change the limit of ${showLine(group)}, ${countOf(jobs, 'job')}?`,
    body: (
      <>
        <p>{meaning}</p>
        <Asked
          label="The most at once"
          kind="number"
          first={wanted}
          onText={(text) => {
            wanted = text;
          }}
        />
      </>
    ),
    act: 'Change the limit',
  };
  await ask(question, () => putLimit(group, wanted));
}

const meaning =
  'How many runs its jobs may have at once, in the whole cluster. A run above that waits until ' +
  'another one ends; what runs already is not stopped.';

async function putLimit(group: string, max: string): Promise<void> {
  const limit = await callApi('PUT /limits/{group}', {
    path: { group },
    body: { max: Number(max) },
  });
  const launches = countOf(limit.max ?? 0, 'launch', 'launches');
  say({ text: `${showLine(group)} may have ${launches} at once.` });
}

/** Asks first. */
export async function removeLimit({ group, jobs, waiting }: Limit): Promise<void> {
  const shown = showLine(group);
  const question = {
    title: `Remove the limit of ${shown}, ${countOf(jobs, 'job')}?`,
    body: (
      <p>
        {waiting === 0
          ? 'Its jobs may all run at once then.'
          : `${countOf(waiting, 'launch that waits', 'launches that wait')} may all start then.`}
      </p>
    ),
    ...{ act: 'Remove the limit', isDanger: true },
  };
  await ask(question, async () => {
    await callApi('DELETE /limits/{group}', { path: { group } });
    say({ text: `${shown} has no limit any more.` });
  });
}
