import { FieldError, type FieldFault } from '../fieldError.ts';
import type { JobFlag } from './jobFlag.ts';
import { jobFlags, propertyOf } from './jobFlags.ts';
import type { JobWords } from './jobWords.ts';
import { type RawValue, readWord } from './readWord.ts';

/**
 * Reads the words of a JSON object, each in camelCase and of the kind that its flag has: a schema
 * has seen to that. What is undefined or null is not said.
 * @throws FieldError `bad_words` (2) that names every word at fault.
 */
export function readJsonWords(body: Readonly<Record<string, unknown>>): JobWords {
  const words: Record<string, unknown> = {};
  const errors: FieldFault[] = [];
  for (const flag of jobFlags) {
    const field = propertyOf(flag.flag);
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (value === undefined || value === null) continue;
    try {
      words[field] = readValue(flag, value);
    } catch (error) {
      errors.push({ field, message: (error as Error).message.replace(/\.$/, '') });
    }
  }
  const [first] = errors;
  if (first === undefined) return words as JobWords;
  throw new FieldError({
    code: 'bad_words',
    message: `${first.field}: ${first.message}.`,
    hint: 'The fields of a job are described in /docs.',
    errors,
  });
}

function readValue(flag: JobFlag, value: unknown): unknown {
  // A file's `false` stands for an absence; in JSON a text is the text that it is.
  if (flag.kind === 'text') return value;
  if (flag.kind === 'list') return typeof value === 'string' ? [value] : value;
  return readWord(flag, rawOf(value));
}

function rawOf(value: unknown): RawValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([name, each]) => [name, String(each)]));
  }
  return String(value);
}
