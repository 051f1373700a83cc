import { executionReasons } from './executionReasons.ts';
import { launchReasons, type ReasonRow, tickReasons } from './reasonTable.ts';

/** Every reason that a row of the history can carry. */
export const reasonTable = { ...tickReasons, ...launchReasons, ...executionReasons };

export type ReasonCode = keyof typeof reasonTable;

declare const isReason: unique symbol;

/** A sentence of the table with its facts, or several of them: no other text is one. */
export type Reason = string & { readonly [isReason]: true };

type Sentences<Table extends Record<string, ReasonRow>> = {
  readonly [Code in keyof Table]: Table[Code]['says'] extends (...facts: infer Facts) => string
    ? (...facts: Facts) => Reason
    : Reason;
};

/**
 * Why ticks and launches ended as they did, in the words of the history. What verification and the
 * judge of the fault tests look for stays as it is, since rows of earlier releases have it.
 */
export const reasons = Object.fromEntries(
  Object.entries(reasonTable).map(([code, { says }]) => [code, says]),
) as unknown as Sentences<typeof reasonTable>;

/** Several reasons of one row, one after the other; null: there is none. */
export function joinReasons(...all: readonly (Reason | null)[]): Reason | null {
  const present = all.filter((reason) => reason !== null);
  return present.length === 0 ? null : (present.join(' ') as Reason);
}
