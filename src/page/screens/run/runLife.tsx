import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { Fact, Section } from '../../parts/section.tsx';
import { shortRun, triggerWords } from '../../runs/runWords.ts';
import { linkTo } from '../../state/place.ts';
import { formatBytes } from '../../text/formatNumber.ts';
import { showControls, showLine } from '../../text/showControls.ts';
import { nobody, readWho, type Who } from './readWho.ts';
import { RunMoments } from './runMoments.tsx';
import type { ShownRun } from './shownRun.ts';
import { TriedAgain } from './triedAgain.tsx';

interface LifeProps {
  readonly run: ShownRun;
  /** Whether its reader is led to its next attempt. */
  readonly isAwaited: Signal<boolean>;
}

/** The life of a launch from its tick to its end, and the facts of it. */
export function RunLife({ isAwaited, run }: LifeProps): JSX.Element {
  const who = useResource<Who>(`${run.launchId} ${run.requestId} ${run.reason}`, {
    read: (signal) => readWho(run, signal),
    everyMs: null,
  });
  const { again, requested, retried, stopped } = who.data.value ?? nobody;
  const { variables = [] } = run;
  const { attempt, exitCode, group, isFinal, launchId, node, outputBytes, requestId } = run;
  return (
    <Section title="What happened" class="life">
      {run.life && <RunMoments life={run.life} />}
      <dl class="facts">
        <Fact term="job">
          <a href={linkTo(['jobs', run.job])}>{showLine(run.job)}</a>
        </Fact>
        <Fact term="revision">{run.revision}</Fact>
        {group !== 'default' && <Fact term="group">{showLine(group)}</Fact>}
        <Fact term="started by">
          {triggerWords[run.trigger]}
          {requested !== null && ` of ${showLine(requested)}`}
        </Fact>
        {variables.length > 0 && (
          <Fact term="variables">
            {variables.map(showLine).join(', ')}{' '}
            <span class="quiet">
              for this run alone; values are not shown, as they may be secret
            </span>
          </Fact>
        )}
        <OtherRun term="retry of" run={again} />
        {isFinal && <OtherRun term="tried again as" run={retried} />}
        {run.result !== null && !isFinal && <TriedAgain run={run} isAwaited={isAwaited} />}
        {stopped !== null && <Fact term="stopped by">{showLine(stopped)}</Fact>}
        <Fact term="node">{showLine(node ?? '–')}</Fact>
        {exitCode !== null && <Fact term="exit code">{exitCode}</Fact>}
        {run.signal && <Fact term="signal">{showLine(run.signal)}</Fact>}
        <Fact term="attempt">
          {attempt}
          {!isFinal && run.result !== null && ', not the last one'}
        </Fact>
        {run.result !== null && <Fact term="output">{formatBytes(outputBytes)}</Fact>}
        {[run.outputFile, run.outputCommand].map(
          (place) =>
            place && (
              <Fact key={place} term="whole output">
                node {showLine(node ?? '–')}, <code>{showLine(place)}</code>
              </Fact>
            ),
        )}
        {launchId && (
          <Fact term="launch id">
            <code>{showLine(launchId)}</code>
          </Fact>
        )}
        {requestId && (
          <Fact term="request id">
            <code>{showLine(requestId)}</code>
          </Fact>
        )}
        <Command run={run} />
      </dl>
    </Section>
  );
}

/** What was run: that of its revision, as long as the job is there. */
function Command({ run: { job, revision } }: Pick<LifeProps, 'run'>): JSX.Element | null {
  const read = useResource(`${job} ${revision}`, {
    read: (signal) =>
      callApi('GET /jobs/{job}/revisions/{revision}', { path: { job, revision }, signal }),
    everyMs: null,
  });
  const command = read.data.value?.definition.command;
  if (command === undefined) return null;
  return (
    <Fact term="command">
      <code>{showControls(command)}</code>
    </Fact>
  );
}

function OtherRun({ run, term }: { readonly run: string | null; readonly term: string }) {
  if (run === null) return null;
  return (
    <Fact term={term}>
      <a href={linkTo(['runs', run])}>{shortRun(run)}</a>
    </Fact>
  );
}
