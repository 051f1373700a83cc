import { type RunResult, runResults } from '../../../domain/run/run.ts';
import { badField } from './badField.ts';

/** The results that a query names in this field. */
export function readResults(
  field: string,
  texts: readonly string[],
  allowed: readonly RunResult[] = runResults,
): RunResult[] {
  return texts.map((text) => {
    const result = allowed.find((each) => each === text);
    if (result === undefined) throw badField(field, `allowed are ${allowed.join(', ')}`);
    return result;
  });
}
