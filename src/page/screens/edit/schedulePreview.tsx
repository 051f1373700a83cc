import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { type Answer, callApi } from '../../api/callApi.ts';
import { scheduleIn } from '../../api/scheduleIn.ts';
import { zone as readersZone } from '../../state/choices.ts';
import { formatFullTime, isKnownZone, zoneName } from '../../text/formatTime.ts';
import { showLine } from '../../text/showControls.ts';
import { type FormFaults, faultsIn } from './formFaults.ts';
import { type FormValues, fieldsOf } from './formValues.ts';

/** The node is asked when the typing pauses. */
const typingMs = 300;
const ticksShown = 5;

interface PreviewProps {
  readonly name: string;
  readonly values: FormValues;
  /** At their fields: they are not said twice. */
  readonly shown: FormFaults;
  /** What the node finds wrong with the schedule that stands there, as soon as it has answered. */
  readonly found: Signal<FormFaults>;
}

/** What the schedule that stands in the form means, as one types it. */
export function SchedulePreview({ found, name, shown, values }: PreviewProps): JSX.Element {
  const preview = useSignal<Answer<'POST /schedule/preview'> | null>(null);
  const problem = useSignal<ApiProblem | null>(null);
  const fields = fieldsOf(values);
  const body = JSON.stringify({
    ...scheduleIn(fields),
    ...(name === '' ? {} : { name }),
    count: ticksShown,
  });
  useEffect(() => {
    const asked = JSON.parse(body);
    const leaving = new AbortController();
    const ask = async () => {
      try {
        const { signal } = leaving;
        preview.value = await callApi('POST /schedule/preview', { body: asked, signal });
        problem.value = null;
      } catch (error) {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        problem.value = error;
        found.value = faultsIn(error);
      }
    };
    found.value = new Map();
    const timer = asked.cron === undefined ? undefined : setTimeout(ask, typingMs);
    if (asked.cron === undefined) [preview.value, problem.value] = [null, null];
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [body, found, preview, problem]);
  return (
    <div class="preview" role="status" aria-label="What the schedule means">
      {problem.value !== null && <Faults problem={problem.value} shown={shown} />}
      {problem.value === null && preview.value !== null && (
        <Ticks preview={preview.value} zone={`${fields.timezone ?? 'UTC'}`} />
      )}
      {problem.value === null && preview.value === null && (
        <p class="quiet">The next ticks stand here as you type a schedule.</p>
      )}
    </div>
  );
}

/** In the words of the form, where they are about fields of it. */
function Faults({ problem, shown }: { problem: ApiProblem; shown: FormFaults }): JSX.Element {
  const faults = faultsIn(problem);
  const others = [...faults].filter(([key]) => !shown.has(key)).map(([, fault]) => fault);
  return (
    <>
      {(faults.size === 0 ? [problem.message] : others).map((fault) => (
        <p key={fault} class="fault">
          {fault}
        </p>
      ))}
    </>
  );
}

interface TicksProps {
  readonly preview: Answer<'POST /schedule/preview'>;
  readonly zone: string;
}

function Ticks({ preview: { next, sentence }, zone }: TicksProps): JSX.Element {
  const zones = [...new Set([zone, readersZone.value, 'UTC'])].filter(isKnownZone).slice(0, 2);
  return (
    <>
      {sentence !== null && <p class="sentence">{showLine(sentence)}</p>}
      {next.length === 0 && <p class="quiet">It names no tick from now on.</p>}
      <ul>
        {next.map((at) => (
          <li key={at}>
            {zones.map((each, place) => (
              <span key={each} class={place === 0 ? '' : 'quiet'}>
                {formatFullTime(Date.parse(at), each)} {zoneName(each, Date.parse(at))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
