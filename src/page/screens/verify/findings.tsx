import type { JSX } from 'preact';
import type { Verification } from '../../api/verifyHistory.ts';
import { TextWithCommands } from '../../links/textWithCommands.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { TextWithTimes } from '../../parts/timeText.tsx';
import { linkTo } from '../../state/place.ts';
import { showLine } from '../../text/showControls.ts';

type Finding = Verification['findings'][number];

/** What is wrong first; those of one kind and job together, since what they mean is one. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }): JSX.Element {
  const kinds = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.code, finding.job]);
    const same = kinds.get(key);
    if (same === undefined) kinds.set(key, [finding]);
    else same.push(finding);
  }
  const order = [...kinds].sort(([, [one]], [, [other]]) => rank(one) - rank(other));
  return (
    <ol class="findings">
      {order.map(([key, same]) => (
        <Kind key={key} findings={same} />
      ))}
    </ol>
  );
}

function rank({ severity }: Finding): number {
  return severity === 'broken' ? 0 : 1;
}

function Kind({ findings }: { readonly findings: readonly [Finding, ...Finding[]] }): JSX.Element {
  const [{ code, job, look, meaning, promise, severity }] = findings;
  return (
    <li>
      <header>
        <StatusBadge
          {...(severity === 'broken'
            ? { status: 'failed', word: 'wrong' }
            : { status: 'missed', word: 'warning' })}
        />
        {job !== null && (
          <a href={linkTo(['jobs', job])} data-row>
            {showLine(job)}
          </a>
        )}
        <span class="quiet" title={`${code}: the promise ${promise} of ARCHITECTURE.md`}>
          {code.replaceAll('_', ' ')}
        </span>
      </header>
      <ul class="messages-of">
        {findings.map(({ launchId, message, tick }) => (
          <li key={`${message} ${tick}`}>
            <TextWithTimes text={message} />{' '}
            {launchId !== null && !(findings.length === 1 && look.includes(launchId)) && (
              <a href={linkTo(['runs', launchId])}>Show the run</a>
            )}
          </li>
        ))}
      </ul>
      <p class="quiet">{showLine(meaning)}</p>
      <p class="look">
        To look into it: <TextWithCommands text={look.replaceAll('; ', ', ')} />
      </p>
    </li>
  );
}
