import type { Operation } from '../../checkers/history.ts';

/**
 * Operations as they were at an instant of the boot clock. Tables that are read a little later may
 * hold what was answered, or even asked for, in between, or not: of these nobody knows yet.
 */
export function operationsUntil(operations: readonly Operation[], readMs: number): Operation[] {
  return operations.map((operation) => {
    if (operation.answeredMs === null || operation.answeredMs <= readMs) return operation;
    const { kind, job, invokedMs, detail, via } = operation;
    const known = { kind, job, invokedMs, detail, ...(via === undefined ? {} : { via }) };
    return { ...known, answeredMs: null, outcome: 'info', revision: null, requestId: null };
  });
}
