import { constants } from 'node:os';
import { joinReasons, type Reason, reasons } from '../../domain/reasons/reasons.ts';
import type { RunOwnership } from '../request/runOwnership.ts';
import type { RunRequest } from '../request/runRequest.ts';
import type { ChildExit } from '../spawn/spawner.ts';
import { describeCode } from '../spawn/spawnFailure.ts';
import type { TerminationResult } from '../terminate/processTreeTerminator.ts';

/** What is to be said of a run that came to its own end, however it ended; null: nothing. */
export function exitNote(
  { ownership }: RunRequest,
  exit: ChildExit,
  rest: TerminationResult | null,
): Reason | null {
  return joinReasons(homeNote(ownership, exit), limitNote(ownership, exit), leftoverNote(rest));
}

function homeNote(ownership: RunOwnership | null, { homeCode }: ChildExit): Reason | null {
  if (homeCode === null) return null;
  const why = homeCode === 'ENOENT' ? null : describeCode(homeCode);
  return reasons.home(ownership?.user ?? 'the node', why);
}

/** The limit that ended it, where that is known: a lack of memory each program reports its way. */
function limitNote(ownership: RunOwnership | null, exit: ChildExit): Reason | null {
  const { exitCode, signal } = exit;
  const seconds = ownership?.cpuSecondsMax ?? null;
  const isOver = signal === 'SIGXCPU' || exitCode === 128 + constants.signals.SIGXCPU;
  return seconds !== null && isOver ? reasons.cpuTimeUsedUp(seconds) : null;
}

function leftoverNote(rest: TerminationResult | null): Reason | null {
  if (rest === null || rest.seen === 0) return null;
  const { seen, signal, gone } = rest;
  if (signal !== null) return reasons.leftoversEnded(seen, signal);
  return gone ? reasons.leftoversGone(seen) : reasons.leftoversLeft(seen);
}
