import type { VerificationView } from '../../http/contract/clusterContract.ts';
import { printLine, shortTime } from '../output/print.ts';
import { formatCount } from '../output/progressLine.ts';

/** Prints what was found, broken promises first, and what was proved. */
export function printVerification(verification: VerificationView, tookMs: number): void {
  const { broken, warnings, leftOut, findings } = verification;
  for (const severity of ['broken', 'warning'] as const) {
    printFindings(findings.filter((finding) => finding.severity === severity));
  }
  if (leftOut > 0) {
    const rules = Object.entries(verification.counts).map(([code, count]) => `${code} ${count}`);
    printLine(`… and ${leftOut} more like these. All of them: ${rules.join(', ')}.`);
  }
  const { jobs, runs, ticks, at, since: sinceAt } = verification;
  const since = sinceAt === null ? '' : ` since ${shortTime(sinceAt)}`;
  const read = `${count(jobs, 'job')}, ${count(runs, 'history row')}`;
  const proved = `${count(ticks, 'tick')} accounted for${since}, as of ${shortTime(at)}`;
  printLine(`${read}, ${proved}, in ${(tookMs / 1000).toFixed(1)} s.`);
  const warned = warnings === 0 ? '' : ` ${count(warnings, 'warning')}.`;
  if (broken === 0) printLine(`No promise is broken.${warned}`);
  else printLine(`PROMISES ARE BROKEN: ${count(broken, 'finding')}.${warned}`);
}

type Finding = VerificationView['findings'][number];

/** The findings of one rule and job together, since what they mean and where to look is one. */
function printFindings(findings: readonly Finding[]): void {
  let before: Finding | null = null;
  for (const finding of findings) {
    const isSame = before?.code === finding.code && before.job === finding.job;
    if (before !== null && !isSame) printAdvice(before);
    const word = finding.severity === 'broken' ? 'BROKEN' : 'warning';
    const about = finding.job === null ? '' : `job ${finding.job}: `;
    printLine(`${word} ${finding.promise} ${finding.code}: ${about}${finding.message}`);
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
