import type { JSX } from 'preact';
import type { Verification } from '../../api/verifyHistory.ts';
import { Fact } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { FullTime } from '../../parts/timeText.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
import { formatDuration } from '../../text/formatDuration.ts';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import { Findings } from './findings.tsx';
import type { VerifyScope } from './useVerification.ts';

interface ResultProps {
  readonly verification: Verification;
  readonly tookMs: number;
  readonly scope: VerifyScope;
}

/** What was found, and what was looked at for it. */
export function VerifyResult({ scope, tookMs, verification }: ResultProps): JSX.Element {
  const { counts, findings, leftOut } = verification;
  const code = place.value.query.get('code');
  const shown = findings.filter((finding) => code === null || finding.code === code);
  return (
    <>
      <p class="sentence verdict" role="status">
        <Verdict verification={verification} />
      </p>
      <LookedAt {...{ scope, tookMs, verification }} />
      {Object.keys(counts).length > 1 && <Codes counts={counts} chosen={code} />}
      <Findings findings={shown} />
      {leftOut > 0 && (
        <p class="quiet after">
          There are {countOf(leftOut, 'more')} like these, which are not listed.
        </p>
      )}
    </>
  );
}

function Verdict({ verification }: { readonly verification: Verification }): JSX.Element {
  const { broken, warnings } = verification;
  if (broken > 0) {
    const more = warnings === 0 ? '' : `, and ${countOf(warnings, 'warning')}`;
    const word = `The history is wrong in ${countOf(broken, 'place')}${more}`;
    return <StatusBadge status="failed" word={word} />;
  }
  const word = warnings === 0 ? 'Nothing is wrong' : `Only ${countOf(warnings, 'warning')}`;
  return (
    <>
      <StatusBadge status={warnings === 0 ? 'succeeded' : 'missed'} word={word} />
      <span>{provedText(verification)}</span>
    </>
  );
}

function provedText({ ticks }: Verification): string {
  if (ticks === 0) return 'No tick was due.';
  if (ticks === 1) return 'The tick that was due is accounted for.';
  return `Each of ${formatCount(ticks)} ticks that were due is accounted for.`;
}

/** So that `nothing` says of what. */
function LookedAt({ scope, tookMs, verification }: ResultProps): JSX.Element {
  const { at, jobs, removed = 0, runs, since, ticks } = verification;
  return (
    <dl class="facts">
      <Fact term={scope.job === '' ? 'Jobs' : 'Job'}>
        {scope.job === '' ? (
          formatCount(jobs)
        ) : (
          <a href={linkTo(['jobs', scope.job])}>{showLine(scope.job)}</a>
        )}
        {removed > 0 && `, ${formatCount(removed)} of them removed`}
      </Fact>
      <Fact term="Ticks">{formatCount(ticks)} computed again</Fact>
      <Fact term="History">{countOf(runs, 'row')} read</Fact>
      <Fact term="Since">
        <FullTime at={since} none="the beginning" />
      </Fact>
      <Fact term="As of">
        <FullTime at={at} />
      </Fact>
      <Fact term="Took">{formatDuration(tookMs)}</Fact>
    </dl>
  );
}

interface CodesProps {
  readonly counts: Verification['counts'];
  readonly chosen: string | null;
}

/** How many there are of each kind; a click shows only those. */
function Codes({ chosen, counts }: CodesProps): JSX.Element {
  return (
    <div class="codes" role="group" aria-label="Kinds of findings">
      {Object.entries(counts).map(([code, count]) => (
        <button
          key={code}
          type="button"
          class="button plain"
          aria-pressed={chosen === code}
          onClick={() => changeQuery({ code: chosen === code ? undefined : code })}
        >
          {code.replaceAll('_', ' ')} <span class="number">{formatCount(count)}</span>
        </button>
      ))}
    </div>
  );
}
