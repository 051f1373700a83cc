import type { JobFlag } from './jobFlag.ts';
import { readerOf } from './wordReaders.ts';

/** A value of a file before it is read: texts, as all scalars are. */
export type RawValue = string | readonly string[] | ReadonlyMap<string, string>;

/**
 * Reads the value of one word of a file the way that the flag of the same name reads it; undefined
 * when it says that there is none.
 * @throws Error that says what is allowed.
 */
export function readWord(flag: JobFlag, raw: RawValue): unknown {
  if (raw === 'false' && flag.kind !== 'switch' && flag.without !== undefined) return undefined;
  if (flag.kind === 'variables') {
    if (raw instanceof Map) return [...raw].map(([name, value]) => pairOf(name, value));
    if (Array.isArray(raw)) return [...raw];
    throw new Error('variables are wanted, one a line: NAME: value');
  }
  if (raw instanceof Map) throw new Error('a value is wanted, not a block of words');
  const texts = typeof raw === 'string' ? [raw] : [...(raw as readonly string[])];
  if (flag.kind === 'list') return texts;
  if (flag.kind === 'choices') return readerOf(flag)?.(texts.join(','), undefined);
  const [text, ...others] = texts;
  if (text === undefined || others.length > 0) throw new Error('one value is wanted, not a list');
  if (flag.kind === 'switch') return readSwitch(text);
  if (flag.kind === 'choice' && !flag.choices.includes(text)) {
    throw new Error(`${JSON.stringify(text)} is none of ${flag.choices.join(', ')}`);
  }
  const read = readerOf(flag);
  return read === null ? text : read(text, undefined);
}

/** A name with a = in it would be another name, and another value, in the pair. */
function pairOf(name: string, value: string): string {
  if (!name.includes('=')) return `${name}=${value}`;
  throw new Error(`${JSON.stringify(name)} is no variable's name: it has a = in it`);
}

function readSwitch(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new Error('true or false is wanted');
}
