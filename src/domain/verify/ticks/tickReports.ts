import { type FindingLog, instantText } from '../rules/finding.ts';
import type { Gap } from './openGaps.ts';
import type { TickReports } from './tickLedger.ts';

/** Puts what a job's tick ledger finds into findings. */
export function tickReports(job: string, log: FindingLog): TickReports {
  return {
    missing: (gap, ticks) => {
      const message = `${ticksText(gap, ticks)} accounted for nowhere`;
      log.add('tick_missing', job, message, detailsOf(gap, ticks));
    },
    twice: (gap, ticks, account) => {
      const second = `the second time by ${account.label}`;
      const message = `${ticksText(gap, ticks)} accounted for twice, ${second}`;
      log.add('tick_twice', job, message, detailsOf(gap, ticks));
    },
    unnamed: (atMs, { label }) => {
      const message = `${label} is for ${instantText(atMs)}, which no revision names`;
      log.add('tick_unnamed', job, message, { tickMs: atMs });
    },
    miscounted: (account, ticks) => {
      const { fromMs, untilMs } = account;
      const range = fromMs === untilMs ? instantText(fromMs) : rangeText(account);
      const counted = `${account.label} counts ${account.ticks} ticks for ${range}`;
      const message = `${counted}; there are ${ticks}`;
      log.add('range_miscounted', job, message, detailsOf(account, ticks));
    },
  };
}

function ticksText(gap: Gap, ticks: number): string {
  if (gap.fromMs === gap.untilMs) return `tick ${instantText(gap.fromMs)} is`;
  if (ticks === 1) return `one of the ticks ${rangeText(gap)} is`;
  return `${ticks} ticks, ${rangeText(gap)}, are`;
}

function rangeText({ fromMs, untilMs }: Gap): string {
  return `${instantText(fromMs)} to ${instantText(untilMs)}`;
}

function detailsOf({ fromMs, untilMs }: Gap, ticks: number) {
  return { tickMs: fromMs, tickUntilMs: untilMs, ticks };
}
