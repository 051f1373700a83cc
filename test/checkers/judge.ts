import { gatherEvidence } from './evidence.ts';
import type { History } from './history.ts';
import { checkAttempts } from './rules/attempts.ts';
import { checkCursors } from './rules/cursors.ts';
import { checkDeadHands } from './rules/deadHands.ts';
import { checkDuplicateStarts } from './rules/duplicateStarts.ts';
import { checkFences } from './rules/fences.ts';
import { checkLegalArrows } from './rules/legalArrows.ts';
import { checkLimits } from './rules/limits.ts';
import { checkOperations } from './rules/operations.ts';
import { checkOverlaps } from './rules/overlaps.ts';
import { checkPhantomStarts } from './rules/phantomStarts.ts';
import { checkPolicies } from './rules/policies.ts';
import { checkProgress } from './rules/progress.ts';
import { checkRequests } from './rules/requests.ts';
import { checkRunRows } from './rules/runRows.ts';
import { checkStartsOwed } from './rules/startsOwed.ts';
import { checkTickAccounts } from './rules/tickAccounts.ts';
import type { Violation } from './violation.ts';

const rules = [
  checkStartsOwed,
  checkPhantomStarts,
  checkDuplicateStarts,
  checkOverlaps,
  checkFences,
  checkRunRows,
  checkTickAccounts,
  checkLegalArrows,
  checkCursors,
  checkDeadHands,
  checkOperations,
  checkRequests,
  checkProgress,
  checkAttempts,
  checkPolicies,
  checkLimits,
] as const;

/** Every broken promise that a history shows, in the order of time; empty: none. */
export function judge(history: History): Violation[] {
  const evidence = gatherEvidence(history);
  return rules.flatMap((check) => check(evidence)).sort((a, b) => a.atMs - b.atMs);
}
