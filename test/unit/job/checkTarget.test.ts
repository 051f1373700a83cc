import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFields } from '../../../src/domain/job/checkFields.ts';
import { checkTogether } from '../../../src/domain/job/checkTogether.ts';
import { checkLabels } from '../../../src/domain/job/fieldTable/checkNames.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';

const faultsOf = (definition: object) =>
  [
    ...checkFields({ ...jobDefaults, ...definition }, 'node'),
    ...checkTogether(definition, 'node'),
  ].map(({ field, message }) => `${field} ${message}`);

test('a target that can be meant is taken as it is', () => {
  assert.deepEqual(faultsOf({}), []);
  const target = {
    nodes: ['web1', 'Büro 2'],
    labels: ['disk', 'disk=ssd fast', 'example.com/zone=eu-1'],
    groups: ['web'],
    excludeNodes: ['web9'],
    excludeLabels: ['old'],
    excludeGroups: ['spare'],
  };
  assert.deepEqual(faultsOf({ kind: 'every-node', target, group: 'shop' }), []);
});

const refused: [object, RegExp][] = [
  [{ kind: 'everywhere' }, /^kind is everywhere, which is none of every-node$/],
  [{ target: {} }, /^target names nothing/],
  [{ target: [] }, /^target is no object/],
  [{ target: null }, /^target is no object/],
  [{ target: { nodes: [] } }, /^target.nodes names nothing$/],
  [{ target: { nodes: 'web1' } }, /^target.nodes names nothing$/],
  [{ target: { nodes: [1] } }, /^target.nodes is no text$/],
  [{ target: { except: ['web1'] } }, /^target has except, which this version does not know$/],
  [{ target: { constructor: ['web1'] } }, /^target has constructor/],
  [{ target: { nodes: ['x'.repeat(65)] } }, /has 65 characters; 64 are allowed$/],
  [
    { target: { nodes: Array.from({ length: 101 }, (_, number) => `${number}`) } },
    /has 101 names; 100/,
  ],
  [{ target: { labels: ['=ssd'] } }, /a label is name or name=value/],
  [{ target: { excludeGroups: [' web'] } }, /begins or ends with a blank$/],
  [{ group: 'a\nb' }, /^group .* control character/],
  [{ group: '' }, /^group a name is empty$/],
];

for (const [definition, message] of refused) {
  test(`${JSON.stringify(definition).slice(0, 60)} is refused`, () => {
    const faults = faultsOf(definition);
    assert.equal(faults.length, 1, faults.join('; '));
    assert.match(faults[0] ?? '', message);
  });
}

test('the labels of a node fit their column', () => {
  assert.equal(checkLabels(['disk=ssd', 'eu']), null);
  const many = Array.from({ length: 40 }, (_, number) => `label${number}=${'x'.repeat(30)}`);
  assert.match(checkLabels(many) ?? '', /1000 are allowed/);
});
