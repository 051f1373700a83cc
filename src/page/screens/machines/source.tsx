import type { JSX } from 'preact';
import { Ago } from '../../parts/timeText.tsx';
import { countOf, formatCount } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import type { Live } from './marks.ts';

/** Whose states and counts are shown, and how old they are. */
export function Source({ live: { node, reports } }: { readonly live: Live }): JSX.Element {
  const [first] = reports;
  if (reports.length !== 1 || first === undefined) return <ClusterSource reports={reports} />;
  const { isLive, node: of, reportedAt, version } = first;
  const name = showLine(of);
  if (of === node)
    return (
      <>
        States of the node {name}, which serves this page, and counts since it started; refreshed
        every 2 s.
      </>
    );
  if (reportedAt === null)
    return (
      <>
        The node {name} is asked to report, which takes up to 15 s. Nodes of earlier versions report
        nothing.
      </>
    );
  const reported = <Ago at={reportedAt} />;
  return isLive ? (
    <>
      States of the node {name} ({version}) and counts since it started, reported {reported}.
    </>
  ) : (
    <>
      The node {name} has ended. It last reported {reported}; what it did after that is not counted.
    </>
  );
}

/** The same of several sessions. */
export function ClusterSource({ reports }: Pick<Live, 'reports'>): JSX.Element {
  const missing = reports.filter(({ reportedAt }) => reportedAt === null).length;
  const ended = reports.filter(({ isLive }) => !isLive).length;
  return (
    <>
      Counts of {countOf(reports.length, 'session')}, {formatCount(ended)} of them ended. What a
      node that was killed did after its last report is not counted.
      {missing > 0 && ` Not reported yet: ${countOf(missing, 'session')}.`}
    </>
  );
}
