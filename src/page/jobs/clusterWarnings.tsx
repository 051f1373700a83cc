import type { JSX } from 'preact';
import type { Answer } from '../api/callApi.ts';
import { TextWithCommands } from '../links/textWithCommands.tsx';
import { linkTo } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';

interface WarningsProps {
  readonly cluster: Pick<Answer<'GET /cluster'>, 'pauses' | 'unrunnable' | 'warnings'>;
}

/** The first of them in the screen's head: where it fits beside the title it moves nothing. */
export function WarningLine({ cluster }: WarningsProps): JSX.Element | null {
  const warnings = warningsBesides(cluster);
  const [first] = warnings;
  if (first === undefined) return null;
  const more = warnings.length - 1;
  return (
    <p class="warning-line">
      <span class="doubt" title={showLine(warnings.join('\n'))}>
        <Warning text={first} cluster={cluster} />
      </span>
      <a href={linkTo(['cluster'])}>Show {more > 0 ? `${more} more on Cluster` : 'the cluster'}</a>
    </p>
  );
}

/** What may not be as intended. */
export function Warnings({ cluster }: WarningsProps): JSX.Element {
  return (
    <>
      {warningsBesides(cluster).map((warning) => (
        <p key={warning} class="box doubt">
          <Warning text={warning} cluster={cluster} />
        </p>
      ))}
    </>
  );
}

/** What is wrong with the cluster that no line of a pause says. */
function warningsBesides({ pauses, warnings }: WarningsProps['cluster']): readonly string[] {
  const said = new Set(pauses.map(({ warning }) => warning));
  return warnings.filter((each) => !said.has(each));
}

/** So many jobs are named by the warning of those that cannot run. */
const namesShown = 5;

/** Its names of jobs lead to them, which say what keeps each of their nodes from it. */
function Warning({ cluster, text }: WarningsProps & { readonly text: string }): JSX.Element {
  const names = cluster.unrunnable.names.slice(0, namesShown);
  const before = names.length === 0 ? '' : ` may run ${names.join(', ')}`;
  const at = text.indexOf(before);
  if (before === '' || at < 0) return <TextWithCommands text={sentenceOf(text)} />;
  return (
    <>
      {showLine(sentenceOf(text.slice(0, at)))} may run{' '}
      {names.map((name, place) => (
        <>
          {place > 0 && ', '}
          <a href={linkTo(['jobs', name])}>{showLine(name)}</a>
        </>
      ))}
      {showLine(text.slice(at + before.length))}
    </>
  );
}

/** Others begin with a name or a number, which stay as they are. */
function sentenceOf(warning: string): string {
  return warning.replace(
    /^(no|live) /,
    (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
  );
}
