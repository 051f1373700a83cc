import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('import shows what of a job changes, edits by hand included', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const importOf = (input: string, ...flags: string[]) =>
    runCli(['import', '-', '--timezone', 'UTC', ...flags], { ...cli, input });
  const lines = '30 2 * * * /opt/one\n0 4 * * * /opt/two\n';
  const first = await importOf(lines);
  assert.doesNotMatch(first.stdout, /CHANGES/);
  const edited = ['--cron', '0 4 * * *', '--description', 'mine'];
  assert.equal((await askCli(['job', 'edit', 'one', ...edited], cli)).code, 0);
  const preview = await importOf(lines, '--dry-run', '--observe');
  assert.match(preview.stdout, /^LINE +RESULT +WHAT +CHANGES$/m);
  assert.match(
    preview.stdout,
    /^1 +would update +one: 30 2 \* \* \* \(UTC\) +cron 0 4 \* \* \* → 30 2 \* \* \*/m,
  );
  assert.match(preview.stdout, /^2 +unchanged +two: 0 4 \* \* \* \(UTC\) +-$/m);
  assert.doesNotMatch(preview.stderr, /would be observed/, 'none is new');
  const done = await importOf(lines);
  assert.match(done.stdout, /^1 +updated +one: .* → 30 2 \* \* \*/m);
});

testBothWays('a dry run says that new jobs would start nothing', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const flags = ['import', '-', '--dry-run'];
  const input = '0 3 * * * /opt/new\n';
  const observed = await runCli([...flags, '--observe'], { ...cli, input });
  assert.match(observed.stderr, /1 job would be observed: nothing starts until job go-live\./);
  const live = await runCli(flags, { ...cli, input });
  assert.doesNotMatch(live.stderr, /observed/);
});

test('a line is shown as it stands, its tabs as blanks', async () => {
  const text = '# m h dom mon dow user\tcommand\n0 3 * * *\troot\ttrue\n61 3 * * *\troot\tx\n';
  const { stdout } = await runCli(['import', '-', '--dry-run', '--system'], { input: text });
  assert.match(stdout, /^1 .*# m h dom mon dow user command$/m);
  assert.match(stdout, /^3 .*61 3 \* \* \* root x: /m);
  assert.doesNotMatch(stdout, /\\t|\t/);
});
