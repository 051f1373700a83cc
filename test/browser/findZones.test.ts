import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findZones } from '../../src/page/pick/findZones.ts';

const winterMs = Date.parse('2026-11-26T12:00:00Z');

test('a zone is found by its city, by what it is called, and by its distance from UTC', () => {
  const found = (text: string) => findZones(text, winterMs).map(({ zone }) => zone);
  for (const text of ['tokyo', ' Tokyo', 'JST', 'jst', 'japan standard', 'asia/tok', '+09:00']) {
    assert.ok(found(text).includes('Asia/Tokyo'), text);
  }
  assert.equal(found('JST')[0], 'Asia/Tokyo');
  assert.equal(found('new york')[0], 'America/New_York');
  assert.deepEqual(
    ['UTC+9', 'gmt +9', '+0900'].map((text) => found(text).length),
    Array(3).fill(found('+09:00').length),
  );
  assert.ok(found('−3').includes('America/Sao_Paulo'));
  assert.ok(!found('+9').includes('Asia/Shanghai'));
  assert.deepEqual(found('nowhere'), []);
});
