import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { definitionOf } from '../../store/verify/assertAccounted.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { noTerminal, onTerminal } from '../onTerminal.ts';
import { runCli } from '../runCli.ts';

const [clipboard, clear, title] = ['\x1b]52;c;ZXZpbA==\x07', '\x1b[2J\x1b[H', '\x1b]0;owned\x07'];
const evil = `one${clipboard}${clear}${title}\x9b\x1b[31mred\x1b[0m\ttwo\n`;

test('what a job wrote does nothing to a terminal, and is whole in a pipe', {
  skip: noTerminal,
}, async (t) => {
  const { channel, join, url } = await makeStoreWorld(t, 'mariadb');
  const manual = { schedule: '@manual', command: `echo ${clipboard}` };
  await addJob(channel, definitionOf('manual', manual));
  await runJob(channel, 'manual', 'r1');
  const node = await join('a');
  const [launch] = await node.claim();
  assert.ok(launch);
  await node.start(launch);
  const output = Buffer.from(evil, 'latin1');
  const { launchId } = launch;
  await node.store.writeOutputs([{ launchId, output }]);
  await node.finish(launch, { output, outputBytes: output.length });
  const log = ['run', 'log', launchId];
  const wait = ['job', 'run', 'manual', '--request-id', 'r1', '--wait'];
  const shows = [log, [...log, '--follow'], wait, ['export'], ['export', '--format', 'crontab']];
  const shown = await Promise.all(shows.map((args) => onTerminal(args, url)));
  for (const [at, text] of shown.entries()) {
    const evils = [clipboard, clear, title, '\x1b]', '\x9b'].filter((each) => text.includes(each));
    assert.deepEqual(evils, [], `${shows[at]}: ${JSON.stringify(text)}`);
    if (!shows[at]?.includes('export'))
      assert.ok(text.includes('\x1b[31mred\x1b[0m\ttwo\r\n'), text);
  }
  const long = 'a job whose name has forty characters 40';
  const command = "exec /bin/sh -c 'cd /srv && run it'";
  await addJob(channel, definitionOf(long, { command, origin: 'web1:/etc/crontab' }));
  await addJob(channel, definitionOf('by-hand', { command: 'exec it -c x' }));
  const list = await onTerminal(['job', 'list'], url);
  assert.match(list, new RegExp(`^${long} `, 'm'), 'other columns go first');
  const piped = await runCli(['job', 'list'], { url });
  assert.match(piped.stdout, / {2}cd \/srv && run it$/m, 'without the shell of a SHELL line');
  assert.match(piped.stdout, / {2}exec it -c x$/m);
  const raw = await onTerminal([...log, '--raw'], url);
  assert.equal(raw, evil.replace('\n', '\r\n'));
  assert.deepEqual((await runCli(log, { url })).bytes, output);
});
