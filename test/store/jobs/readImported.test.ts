import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { editJob, removeJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { readImported } from '../../../src/store/jobs/readImported.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { definitionOf } from '../verify/assertAccounted.ts';

await forEachEngine((engine) => {
  test('what was imported on a machine is found among all jobs, as it is in force', async (t) => {
    const { channel } = await makeReusedWorld(t, engine);
    const origins = {
      ...{ a: 'web1:/etc/crontab', b: 'web1:/etc/cron.d/x', c: 'web10:/etc/crontab' },
      ...{ d: 'web_:/etc/crontab', e: undefined, f: 'web1:/etc/crontab' },
    };
    for (const [name, origin] of Object.entries(origins)) {
      const definition = definitionOf(name, { command: 'echo \'"origin":"web1:\'' });
      await addJob(channel, origin === undefined ? definition : { ...definition, origin });
    }
    await editJob(channel, 'b', (job) => ({ ...job, command: 'new' }));
    await removeJob(channel, 'f');
    const of = async (host: string) => {
      const { definitions } = await readImported(channel, host);
      return definitions.map(({ name, command }) => `${name} ${command}`).sort();
    };
    assert.deepEqual(await of('web1'), ['a echo \'"origin":"web1:\'', 'b new']);
    assert.deepEqual((await of('web_')).length, 1);
    assert.deepEqual(await of('web'), []);
  });
});
