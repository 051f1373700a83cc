import type { JSX } from 'preact';
import { resumeJob, runJob } from '../../acts/jobActs.tsx';
import { type Answer, callApi } from '../../api/callApi.ts';
import { useResource } from '../../api/useResource.ts';
import { placeOfApi } from '../../links/apiPlace.ts';
import { Action } from '../../parts/action.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { type Status, StatusBadge } from '../../parts/statusBadge.tsx';
import { TextWithTimes } from '../../parts/timeText.tsx';
import { Word } from '../../parts/word.tsx';
import { changeQuery, linkTo, place } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showLine } from '../../text/showControls.ts';
import type { ShownJob } from './shownJob.ts';

type Why = Answer<'GET /jobs/{job}/why'>;
type Check = Why['checks'][number];

/** Why a job does not run: open by itself where it does not run as planned, else on demand. */
export function WhyNot({ job }: { readonly job: ShownJob }): JSX.Element {
  const asked = place.value.query.get('why');
  const isOpen = asked === null ? isHeld(job) : asked === 'open';
  return (
    <Section
      title={isHeld(job) ? 'Why not now' : 'What it waits for'}
      tools={
        <button
          type="button"
          class="button quiet"
          aria-expanded={isOpen}
          onClick={() => changeQuery({ why: isOpen ? 'closed' : 'open' })}
        >
          {isOpen ? 'Hide' : 'Show it, and when it runs'}
        </button>
      }
    >
      {isOpen && <Answered job={job} />}
    </Section>
  );
}

/** So late a tick is no more than late. */
const lateMs = 60_000;

/** Whether it does not run as planned, as far as can be seen without asking. */
function isHeld({ fields, mayRunOn, now, paused, slots }: ShownJob): boolean {
  const isLate = slots.some(
    ({ nextRunAt, state }) =>
      state === 'idle' && nextRunAt !== null && Date.parse(now) - Date.parse(nextRunAt) > lateMs,
  );
  return paused || fields.observed === true || mayRunOn.length === 0 || isLate;
}

function Answered({ job: { job, paused, revision } }: { readonly job: ShownJob }): JSX.Element {
  const why = useResource<Why>(`${job} ${revision} ${paused}`, {
    read: (signal) => callApi('GET /jobs/{job}/why', { path: { job }, signal }),
    isAbout: (event) => event.type.startsWith('session.') || ('job' in event && event.job === job),
    everyMs: 10_000,
  });
  return (
    <Loaded of={why} lines={3}>
      {(loaded) => <WhyAnswer why={loaded} />}
    </Loaded>
  );
}

function WhyAnswer({ why }: { readonly why: Why }): JSX.Element {
  const { because, checks, job, state, text } = why;
  const hint = checks.find(({ check }) => check === because)?.hint ?? null;
  // What the answer says already is not said again.
  const isNowhere = because === 'nodes' || because === 'cluster';
  const notable = checks.filter(
    ({ check, state: found, text: said }) =>
      found !== 'passed' && said !== text && !(isNowhere && asksOfNodes.includes(check)),
  );
  const passed = checks.filter((check) => check.state === 'passed');
  return (
    <div class="why-not">
      <p class="sentence">
        {state === 'removed' ? (
          <StatusBadge status="ended" word="removed" />
        ) : (
          <StatusBadge status={state} />
        )}{' '}
        <span>
          <TextWithTimes text={text} />
        </span>
      </p>
      {hint !== null && <Help because={because} hint={hint} job={job} />}
      {isNowhere && (
        <p>
          <a href={linkTo(['cluster'])}>Show the nodes on Cluster</a>, where each says whether it
          takes work
        </p>
      )}
      {notable.length > 0 && <Checks checks={notable} job={job} />}
      <WhyNodes why={why} />
      <details>
        <summary>{countOf(passed.length, 'check')} passed</summary>
        <Checks checks={passed} job={job} />
      </details>
    </div>
  );
}

/** What is asked of nodes that may run it: where there is none, nothing is to be found out. */
const asksOfNodes: readonly Check['check'][] = ['nodes', 'capacity'];

/** By which check it is kept: what the page can do about it. */
const helps = {
  paused: { icon: 'resume', word: 'Resume it', act: resumeJob },
  schedule: { icon: 'play', word: 'Run it now', act: runJob },
} as const;

interface HelpProps {
  readonly because: Check['check'] | null;
  /** The command that does the same. */
  readonly hint: string;
  readonly job: string;
}

/** What helps: by a button, where the page has it, and by the command line. */
function Help({ because, hint, job }: HelpProps): JSX.Element {
  const command = <code>{showLine(hint)}</code>;
  if (because === null || !(because in helps)) return <p>What helps: {command}</p>;
  const { act, icon, word } = helps[because as keyof typeof helps];
  return (
    <p class="help">
      What helps:{' '}
      <Action icon={icon} needs="operator" onAct={() => act(job)}>
        {word}
      </Action>
      <span class="quiet">{command}</span>
    </p>
  );
}

const checkStates: Readonly<
  Record<Check['state'], { readonly status: Status; readonly word: string }>
> = {
  passed: { status: 'succeeded', word: 'in order' },
  failed: { status: 'failed', word: 'keeps it' },
  unknown: { status: 'not_started', word: 'not known' },
};

interface ChecksProps {
  readonly checks: readonly Check[];
  /** The job that is shown: no link leads from it to itself. */
  readonly job: string;
}

function Checks({ checks, job }: ChecksProps): JSX.Element {
  return (
    <ul class="checks">
      {checks.map(({ check, link, state, text }) => {
        const to = link === null ? null : placeOfApi(link);
        return (
          <li key={check} title={check}>
            <StatusBadge {...checkStates[state]} />
            <span>
              <TextWithTimes text={text} /> {to && to[1] !== job && <a href={linkTo(to)}>Show</a>}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Which node may take it, and what keeps each other one from it. */
function WhyNodes({ why: { nodes, nodesLeftOut } }: { readonly why: Why }): JSX.Element | null {
  if (nodes.length === 0) return null;
  const left = nodesLeftOut === 0 ? '' : `, and ${countOf(nodesLeftOut, 'more node')}`;
  const may = nodes.filter((node) => node.may).length;
  return (
    <details open={may === 0}>
      <summary>
        It may run on {may} of {countOf(nodes.length, 'node')}
        {left}
      </summary>
      <Scrolls label="Nodes">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">
                <Word text="Level" />
              </th>
              <th scope="col">May take it</th>
              <th scope="col">What keeps it</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map(({ keptBy, level, may: mayTake, node }) => (
              <tr key={node}>
                <td class="nowrap">{showLine(node)}</td>
                <td class="number">{level ?? '–'}</td>
                <td>{mayTake ? 'yes' : 'no'}</td>
                <td class="wide">
                  <TextWithTimes text={keptBy.map(({ text }) => text).join('; ')} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </details>
  );
}
