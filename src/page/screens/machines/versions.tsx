import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Section } from '../../parts/section.tsx';
import { showLine } from '../../text/showControls.ts';
import { Machine, MermaidLink } from './machine.tsx';
import type { Live } from './marks.ts';
import { ClusterSource } from './source.tsx';

interface VersionsProps {
  readonly drawing: string;
  readonly live: Live;
}

/** The same drawing for each version that nodes run, with the counts of its own nodes. */
export function Versions({ drawing, live }: VersionsProps): JSX.Element {
  const parts = useMemo(() => partsOf(live), [live]);
  const shown = (isAside: boolean) =>
    parts
      .filter(({ part }) => isSideBySide(part) !== isAside)
      .map(({ part, version }) => (
        <Version key={version} drawing={drawing} live={part} version={version} />
      ));
  return (
    <>
      <p class="quiet">
        These are sessions of several versions, whose statecharts may differ. Drawn is that of the
        node {showLine(live.node)}, which serves this page; what it lacks is listed below.
      </p>
      <div class="versions">{shown(false)}</div>
      {shown(true)}
      <MermaidLink drawing={drawing} />
    </>
  );
}

/** What has ended or says nothing stands below those that can be compared. */
function isSideBySide({ reports }: Live): boolean {
  return hasReported(reports) && reports.some(({ isLive }) => isLive);
}

const hasReported = (reports: Live['reports']): boolean =>
  reports.some(({ reportedAt }) => reportedAt !== null);

interface VersionProps extends VersionsProps {
  readonly version: string;
}

function Version({ drawing, live, version }: VersionProps): JSX.Element {
  const { reports } = live;
  const names = reports.filter(({ isLive }) => isLive).map(({ node }) => showLine(node));
  const isKnown = hasReported(reports);
  const machine = <Machine drawing={drawing} live={live} ofWhat={` of version ${version}`} />;
  return (
    <Section title={`Version ${version}: ${nodesOf(names)}`}>
      <p class="quiet">
        {isKnown ? (
          <ClusterSource reports={reports} />
        ) : (
          'Asked to report, which takes up to 15 s. Nodes of earlier versions report nothing.'
        )}
      </p>
      {isKnown && names.length > 0 && machine}
      {isKnown && names.length === 0 && (
        <details>
          <summary>What its nodes did</summary>
          {machine}
        </details>
      )}
    </Section>
  );
}

/** The answer once for each version, as if there were no other. */
function partsOf(live: Live): readonly { readonly version: string; readonly part: Live }[] {
  return live.versions.map(({ version, ...counts }) => {
    const reports = live.reports.filter((report) => report.version === version);
    return { version, part: { ...live, ...counts, reports } };
  });
}

/** So many are named. */
const namesMax = 6;

/** `node a`, `nodes a, b`, `nodes a, b and 7 more`. */
function nodesOf(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined) return 'no live node';
  if (others.length === 0) return `node ${first}`;
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : '';
  return `nodes ${names.slice(0, namesMax).join(', ')}${more}`;
}
