import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOfError, RenewalRecord } from '../../../src/exec/lease/renewalRecord.ts';

const refused = 'connect ECONNREFUSED 127.0.0.1:3306';

test('a lease that ends after failed renewals names the database and the error', () => {
  const record = new RenewalRecord();
  record.confirmed(1_000);
  record.failed(2_000, 'read ECONNRESET');
  assert.match(
    record.whyOver(2_500).why,
    /^the database did not confirm a renewal of its lease in /,
  );
  record.failed(36_000, refused);
  const { hint, why } = record.whyOver(37_000);
  assert.equal(
    why,
    `the database confirmed none of 2 renewals of its lease in 35.0 s (${refused})`,
  );
  assert.match(hint, /^Check the database and the network to it\./);
});

test('a lease that ends without a report says that the node stood still, and no cause', () => {
  const record = new RenewalRecord();
  record.confirmed(1_000);
  record.failed(2_000, refused);
  record.confirmed(3_000);
  const { why } = record.whyOver(39_000);
  assert.match(why, /^its node stood still: .* nor reported a failure for 36\.0 s$/);
});

test('a node that stood still after failed renewals is not said to have gone on trying', () => {
  const record = new RenewalRecord();
  record.confirmed(0);
  record.failed(4_000, refused);
  const { why } = record.whyOver(36_000);
  assert.match(
    why,
    /did not confirm a renewal .* in 4\.0 s .*; then the node reported nothing for 32\.0 s$/,
  );
});

test('an error is one line, whatever it carries', () => {
  assert.equal(lineOfError(new Error(' one\n two ')), 'one two');
  const several = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  assert.equal(lineOfError(several), 'ECONNREFUSED');
  assert.equal(lineOfError(new Error('x'.repeat(999))).length, 161);
});
