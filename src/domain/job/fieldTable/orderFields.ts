import { checkGroupName } from './checkNames.ts';
import { rowsWith, under } from './field.ts';
import { readUpstream, showUpstream, upstreamText } from './upstream.ts';

const { count, list, text } = rowsWith({ format: 3 });

/** How much history may be kept, by a job or by the cluster. */
export const keepBounds = { daysMax: 36_500, runsMax: 10_000_000 } as const;

const tagCharactersMax = 64;
const kept = { without: 'as the cluster does', least: 1 } as const;

/** What a job follows, where it belongs, and what is kept of it. */
export const orderFields = under('Order and history:', {
  after: list(
    'after',
    'start when this job ends: :success (the default), :failure or :end; repeatable',
    {
      value: 'job[:end]',
      without: 'no other job',
      item: { read: readUpstream, write: upstreamText, show: showUpstream },
      hasLines: true,
      itemsMax: 100,
      checkedBy: 'nobody',
    },
  ),
  group: text(
    'group',
    'the group of jobs that it belongs to, for limits, tokens and apply (default: default)',
    {
      value: 'name',
      default: 'default',
      without: 'default',
      check: checkGroupName,
    },
  ),
  tag: list('tags', 'a word to find it by; may be repeated', {
    value: 'word',
    without: 'none',
    itemsMax: 50,
    check: checkTag,
    checkedBy: 'nobody',
  }),
  keepDays: count('keepDays', 'how many days its history is kept', {
    ...kept,
    most: keepBounds.daysMax,
    shown: '{} days of its history',
  }),
  keepRuns: count('keepRuns', 'how many rows of its history are kept', {
    ...kept,
    most: keepBounds.runsMax,
    shown: 'the last {} rows of its history',
  }),
});

function checkTag(tag: string): string | null {
  const shown = JSON.stringify(tag.slice(0, tagCharactersMax));
  if ([...tag].length > tagCharactersMax) {
    return `${shown}… is too long; ${tagCharactersMax} characters are allowed`;
  }
  const isWord = /^[\p{L}\p{N}][\p{L}\p{N}._:/=-]*$/u.test(tag);
  return isWord ? null : `${shown} is no tag: letters, digits and . _ : / = - are allowed`;
}
