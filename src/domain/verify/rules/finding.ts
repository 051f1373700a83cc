import { quoteForShell } from '../../text/quoteForShell.ts';
import type { VerifyRule } from './policyRules.ts';
import { type RuleCode, verifyRules } from './verifyRules.ts';

/** One thing that is not as it must be, or that an operator ought to look at. */
export interface Finding {
  readonly code: RuleCode;
  /** The promise of ARCHITECTURE.md that it breaks or, of a warning, is about, e.g. `P19`. */
  readonly promise: string;
  readonly severity: 'broken' | 'warning';
  /** The job's name, or null when it is about no job. */
  readonly job: string | null;
  /** The tick, or the first of several, epoch milliseconds; null when it is about none. */
  readonly tickMs: number | null;
  readonly tickUntilMs: number | null;
  /** How many ticks it is about. */
  readonly ticks: number;
  readonly launchId: string | null;
  /** What is wrong. */
  readonly message: string;
  /** What it may mean. */
  readonly meaning: string;
  /** What to look at next. */
  readonly look: string;
}

/** What a finding is about, besides its message. */
export type FindingDetails = Partial<
  Pick<Finding, 'tickMs' | 'tickUntilMs' | 'ticks' | 'launchId'>
>;

/**
 * The findings of one verification, bounded: of one job and one rule the first few, and altogether
 * no more than a person reads. What is left out is counted.
 */
export class FindingLog {
  readonly findings: Finding[] = [];
  /** How many there were of each rule, those left out included. */
  readonly counts = new Map<RuleCode, number>();
  broken = 0;
  warnings = 0;
  readonly #perRuleMax: number;
  readonly #findingsMax: number;
  #job: string | null = null;
  #ofJob = new Map<RuleCode, number>();

  constructor(perRuleMax = 5, findingsMax = 500) {
    this.#perRuleMax = perRuleMax;
    this.#findingsMax = findingsMax;
  }

  add(code: RuleCode, job: string | null, message: string, details: FindingDetails = {}): void {
    const rule: VerifyRule = verifyRules[code];
    const severity = rule.isWarning ? 'warning' : 'broken';
    if (severity === 'broken') this.broken += 1;
    else this.warnings += 1;
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
    if (job !== this.#job) {
      // Jobs are verified one after the other, so that one job's counts are enough.
      this.#job = job;
      this.#ofJob = new Map();
    }
    const before = this.#ofJob.get(code) ?? 0;
    this.#ofJob.set(code, before + 1);
    if (before >= this.#perRuleMax || this.findings.length >= this.#findingsMax) return;
    const { promise, meaning } = rule;
    const ticks = details.tickMs === undefined ? 0 : 1;
    const about = { tickMs: null, tickUntilMs: null, ticks, launchId: null, ...details };
    const look = lookFor(rule.look, job, about.launchId);
    const finding = { code, promise, severity, job, ...about, message, meaning, look } as const;
    this.findings.push(finding);
  }

  /** How many findings were not kept. */
  get leftOut(): number {
    return this.broken + this.warnings - this.findings.length;
  }
}

/** An instant in a message: UTC, milliseconds where there are any. */
export function instantText(instantMs: number): string {
  const date = new Date(instantMs);
  return Number.isNaN(date.getTime()) ? `${instantMs}` : date.toISOString().replace('.000Z', 'Z');
}

/** Where to look, with the names put in that the finding is about. */
function lookFor(look: string, job: string | null, launchId: string | null): string {
  return look
    .replaceAll('JOB', () => (job === null ? 'NAME' : shellWord(job)))
    .replaceAll('LAUNCH', () => launchId ?? 'LAUNCH_ID');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoteForShell(text);
}
