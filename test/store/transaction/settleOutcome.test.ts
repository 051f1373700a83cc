import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committed, unknown } from '../../../src/domain/errors/outcome.ts';
import { settleOutcome } from '../../../src/store/transaction/settleOutcome.ts';

const sent = Object.assign(new Error('cut'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
const neverSent = Object.assign(new Error('no'), { code: 'ECONNREFUSED', syscall: 'connect' });
const full = Object.assign(new Error('full'), { code: 'ER_RECORD_FILE_FULL', errno: 1_114 });

/** What an operator is told when the tries come to these, one after the other. */
async function codeOf(causes: readonly Error[], isIdempotent: boolean): Promise<string> {
  const left = [...causes];
  const attempt = async () => {
    const cause = left.shift();
    return cause === undefined ? committed('done') : unknown(cause);
  };
  try {
    const options = { isIdempotent, look: 'look' };
    const outcome = await settleOutcome<string>(attempt, options, [1, 1, 1, 1]);
    return outcome.outcome;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('what is safe to ask for twice is asked for until it is known', async () => {
  assert.equal(await codeOf([sent], true), 'committed');
  assert.equal(await codeOf([neverSent], true), 'committed');
});

test('what is not is asked for again only when it was never sent', async () => {
  assert.equal(await codeOf([neverSent], false), 'committed');
  assert.equal(await codeOf([sent], false), 'outcome_unknown');
});

test('a server that refuses for good says that nothing was done', async () => {
  assert.equal(await codeOf([full], true), 'database_full');
});

test('no last try makes an earlier one undone that may have been committed', async () => {
  assert.equal(await codeOf([sent, full], true), 'outcome_unknown');
  const away = [sent, neverSent, neverSent, neverSent, neverSent];
  const [known, unknownYet] = await Promise.all([codeOf(away.slice(1), true), codeOf(away, true)]);
  assert.equal(known, 'committed');
  assert.equal(unknownYet, 'outcome_unknown');
  assert.equal(await codeOf([...away.slice(1), neverSent], true), 'database_away');
});
