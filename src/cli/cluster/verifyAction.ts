import { exitCodes } from '../../domain/errors/errors.ts';
import type { VerificationView } from '../../http/contract/clusterContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { inZoneOf, readTimezones } from '../connect/readTimezones.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import type { readSince } from '../options/readTime.ts';
import { formatInstant, withLocalInstants } from '../output/formatInstant.ts';
import { printJson, printLine } from '../output/print.ts';
import { formatCount, ProgressLine } from '../output/progressLine.ts';

interface VerifyOptions extends ClusterOptions {
  readonly job?: string;
  readonly since?: ReturnType<typeof readSince>;
}

/** `verify`: resolves to the exit code. */
export async function verifyAction(options: VerifyOptions): Promise<number> {
  const { job } = options;
  const startedMs = performance.now();
  const progress = new ProgressLine();
  const { verification, zoneOf } = await withOperator(options, async (operator) => {
    try {
      const since = options.since && (await inZoneOf(operator, job, options.since));
      const found = await operator.verifyCluster({
        ...withoutUndefined({ job, since }),
        progress: ({ jobs, runs }) =>
          progress.show(() => `verified ${formatCount(jobs)} jobs, ${formatCount(runs)} rows`),
      });
      const names = options.json ? [] : found.findings.map((finding) => finding.job);
      return { verification: found, zoneOf: await readTimezones(operator, names) };
    } finally {
      progress.end();
    }
  });
  const tookMs = Math.round(performance.now() - startedMs);
  if (options.json) printJson({ ok: verification.broken === 0, tookMs, ...verification });
  else printVerification(verification, zoneOf, tookMs);
  return verification.broken > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Prints what was found, broken promises first, and what was proved. */
function printVerification(verification: VerificationView, zoneOf: ZoneOf, tookMs: number): void {
  const { broken, warnings, leftOut, findings } = verification;
  for (const severity of ['broken', 'warning'] as const) {
    const shown = findings.filter((finding) => finding.severity === severity);
    printFindings(shown, zoneOf);
  }
  if (leftOut > 0) {
    const rules = Object.entries(verification.counts).map(([code, count]) => `${code} ${count}`);
    printLine(`… and ${leftOut} more like these. All of them: ${rules.join(', ')}.`);
  }
  // A node of an earlier release does not say how many of them are removed.
  const { jobs, removed = 0, runs, ticks, at, since: sinceAt } = verification;
  const since = sinceAt === null ? '' : ` since ${formatInstant(sinceAt)}`;
  const gone = removed === 0 ? '' : ` and ${formatCount(removed)} removed`;
  const read = `${count(jobs - removed, 'job')}${gone}, ${count(runs, 'history row')}`;
  const proved = `${count(ticks, 'tick')} accounted for${since}, as of ${formatInstant(at)}`;
  printLine(`${read}, ${proved}, in ${(tookMs / 1000).toFixed(1)} s.`);
  const warned = warnings === 0 ? '' : ` ${count(warnings, 'warning')}.`;
  if (broken === 0) printLine(`No promise is broken.${warned}`);
  else printLine(`THE HISTORY IS WRONG in ${count(broken, 'place')}.${warned}`);
}

type Finding = VerificationView['findings'][number];
type ZoneOf = Awaited<ReturnType<typeof readTimezones>>;

/** The findings of one rule and job together, since what they mean and where to look is one. */
function printFindings(findings: readonly Finding[], zoneOf: ZoneOf): void {
  let before: Finding | null = null;
  for (const finding of findings) {
    const isSame = before?.code === finding.code && before.job === finding.job;
    if (before !== null && !isSame) printAdvice(before);
    const severity = finding.severity === 'broken' ? 'WRONG' : 'warning';
    const about = finding.job === null ? '' : `job ${finding.job}: `;
    const message = withLocalInstants(finding.message, zoneOf(finding.job), 'exact');
    printLine(`${severity} ${finding.code.replaceAll('_', ' ')}: ${about}${message}`);
    before = finding;
  }
  if (before !== null) printAdvice(before);
}

function printAdvice({ meaning, look }: Finding): void {
  printLine(`  ${meaning}`);
  printLine(`  → ${look}`);
}

function count(number: number, what: string): string {
  return `${formatCount(number)} ${what}${number === 1 ? '' : 's'}`;
}
