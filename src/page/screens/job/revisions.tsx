import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { rollBackJob } from '../../acts/jobActs.tsx';
import { callApi } from '../../api/callApi.ts';
import { whyNotAdministrator } from '../../api/session.ts';
import { useResource } from '../../api/useResource.ts';
import { Action } from '../../parts/action.tsx';
import { FieldChanges } from '../../parts/fieldChanges.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { Time, Zoned } from '../../parts/timeText.tsx';
import { showLine } from '../../text/showControls.ts';
import type { ShownJob } from './shownJob.ts';

interface RevisionsProps {
  readonly job: ShownJob;
  readonly onChange: () => void;
}

/** What the job was before: each revision with what it changed, and the way back. */
export function Revisions({ job, onChange }: RevisionsProps): JSX.Element {
  const changedBy = useChangedBy(job);
  return (
    <Section title={<Zoned title="Revisions" />}>
      <ol class="revisions">
        {job.revisions.map(({ definition, inForceFrom, reason, revision }) => (
          <li key={revision}>
            <div class="line">
              <strong>{revision}</strong>
              <Time at={inForceFrom} />
              <span class="quiet">
                {showLine(changeText(changedBy.get(revision) ?? '', reason ?? ''))}
              </span>
              {revision === job.revision ? (
                <span class="quiet">current</span>
              ) : isAlike(definition, job.definition) ? (
                <span class="quiet" title="To go back to it would change no field">
                  same fields as now
                </span>
              ) : (
                <Action
                  icon="restore"
                  kind="quiet"
                  needs="operator"
                  onAct={async () => {
                    await rollBackJob(job.job, revision);
                    onChange();
                  }}
                >
                  Go back to revision {revision}
                </Action>
              )}
            </div>
            {revision > 1 ? (
              <Changes job={job.job} revision={revision} isOpen={revision === job.revision} />
            ) : (
              <p class="quiet">The job was added.</p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** The reason of a pause names who paused it already. */
function changeText(by: string, reason: string): string {
  return reason.includes(by) ? reason : [by, reason].join(' ');
}

/** Whatever the order of their fields, observed or not: to go back to it would change nothing. */
function isAlike(one: object, other: object): boolean {
  const [first, second] = [one, other].map((each) =>
    JSON.stringify(Object.entries({ ...each, observed: null, format: null }).sort()),
  );
  return first === second;
}

/** Who made each revision, as far as the audit log has it and the reader may see it. */
function useChangedBy(job: ShownJob): ReadonlyMap<number, string> {
  const mayRead = whyNotAdministrator() === null;
  const audit = useResource(`${job.jobId}-${job.revision}-${mayRead}`, {
    read: async (signal) => {
      if (!mayRead) return [];
      const query = { target: job.job, limit: '100' };
      return (await callApi('GET /audit', { query, signal })).items;
    },
    everyMs: null,
  });
  const changes = (audit.data.value ?? []).filter(({ action }) => !makesNone.has(action));
  const found = job.revisions.flatMap(({ inForceFrom, revision }) => {
    const agoMs = (at: string) => Date.parse(at) - Date.parse(inForceFrom);
    // The newest come first: the last that is not older is the one.
    const change = changes.findLast(({ at }) => agoMs(at) >= 0 && agoMs(at) <= auditMsMax);
    return change === undefined ? [] : [[revision, `by ${change.actor}`] as const];
  });
  return new Map(found);
}

/** A revision and its entry in the audit log are of one transaction. */
const auditMsMax = 5_000;
const makesNone = new Set(['job.run', 'job.skipNext', 'job.backfill']);

interface ChangesProps {
  readonly job: string;
  readonly revision: number;
  readonly isOpen: boolean;
}

/** What a revision changed, read when it is wanted. */
function Changes({ job, revision, isOpen }: ChangesProps): JSX.Element {
  const isShown = useSignal(isOpen);
  return (
    <details
      open={isOpen}
      onToggle={(event) => {
        isShown.value = event.currentTarget.open;
      }}
    >
      <summary>What it changed</summary>
      {isShown.value && <Diff job={job} revision={revision} />}
    </details>
  );
}

function Diff({ job, revision }: { job: string; revision: number }): JSX.Element {
  const diff = useResource(`${job} ${revision}`, {
    read: (signal) =>
      callApi('GET /jobs/{job}/revisions/{revision}/diff', { path: { job, revision }, signal }),
    everyMs: null,
  });
  return (
    <Loaded of={diff} lines={1}>
      {({ changes, paused }) => (
        <>
          {paused.before !== paused.after && (
            <p>{paused.after ? 'It was paused.' : 'It was resumed.'}</p>
          )}
          <FieldChanges changes={changes} />
          {changes.length === 0 && paused.before === paused.after && <p class="quiet">No field.</p>}
        </>
      )}
    </Loaded>
  );
}
