import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognisePresent } from '../../../src/cli/jobFile/recognisePresent.ts';
import { readCrontab } from '../../../src/domain/crontab/readCrontab.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { ApiOperator } from '../../../src/http/views/apiOperator.ts';

const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
const others = numbers.map((number): [string, JobDefinition] => {
  const name = number === 1 ? 'x' : `x ${number}`;
  const whose = { origin: 'web1:/etc/crontab', user: 'other' };
  return [name, { ...jobDefaults, name, schedule: '@daily', command: 'true', ...whose }];
});

test('a name that others have with many numbers is looked up a few times', async () => {
  const present = new Map(others);
  let looks = 0;
  const operator: Pick<ApiOperator, 'readImported' | 'readDefinitions'> = {
    readImported: async () => ({ definitions: [], isAll: false }),
    readDefinitions: async (names) => {
      looks += 1;
      const found = names.flatMap((name) => present.get(name) ?? []);
      return new Map(found.map((definition) => [definition.name, { definition, pause: null }]));
    },
  };
  const lines = readCrontab('# x\n@daily me mine\n# y\n@daily me mine\n', 'system').flatMap(
    ({ reading }) => (reading.kind === 'job' ? [reading] : []),
  );
  const { found } = await recognisePresent(operator as ApiOperator, lines, {
    ...{ origin: 'web2:/etc/crontab', isFile: true, prefix: '' },
    ...{ user: 'me', group: null, onNode: null },
  });
  assert.deepEqual(found, ['x 301', 'y']);
  assert.ok(looks <= 15, `${looks} looks`);
});
