import type { Reason } from '../../src/domain/reasons/reasons.ts';

/** A text that stands in for a reason: of another version, of a hostile host, or of no matter. */
export const asReason = (text: string): Reason => text as Reason;
