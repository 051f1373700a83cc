import { usageFault } from '../output/reportFault.ts';

/**
 * The request id that an operator chose, or null.
 * @throws OperatorError (2) when it is none; those of chains are statecron's own, and
 * numbers are those of runs.
 */
export function readRequestId(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^[0-9A-Za-z._:-]{1,64}$/.test(text)) {
    throw usageFault('--request-id: 1 to 64 letters, digits and . _ : - are allowed.');
  }
  if (text.startsWith('chain:')) throw usageFault('--request-id: may not begin with "chain:".');
  if (/^\d+$/.test(text)) throw usageFault('--request-id: may not be a number.');
  return text;
}
