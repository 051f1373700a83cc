import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { type Answer, callApi } from '../../api/callApi.ts';
import { scheduleIn } from '../../api/scheduleIn.ts';
import { formatFullTime, isKnownZone, localZone, zoneName } from '../../text/formatTime.ts';
import { showLine } from '../../text/showControls.ts';
import { faultsIn } from './formFaults.ts';
import { type FormValues, fieldsOf } from './formValues.ts';

/** The node is asked when the typing pauses. */
const typingMs = 300;
const ticksShown = 5;

interface PreviewProps {
  readonly name: string;
  readonly values: FormValues;
  /** At its field: it is not said twice. */
  readonly isFaultShown: boolean;
}

/** What the schedule that stands in the form means, as one types it. */
export function SchedulePreview({ isFaultShown, name, values }: PreviewProps): JSX.Element {
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
      }
    };
    const timer = asked.cron === undefined ? undefined : setTimeout(ask, typingMs);
    if (asked.cron === undefined) [preview.value, problem.value] = [null, null];
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [body, preview, problem]);
  return (
    <div class="preview" role="status" aria-label="What the schedule means">
      {problem.value !== null && !isFaultShown && <p class="fault">{messageOf(problem.value)}</p>}
      {problem.value === null && preview.value !== null && (
        <Ticks preview={preview.value} zone={`${fields.timezone ?? 'UTC'}`} />
      )}
      {problem.value === null && preview.value === null && (
        <p class="quiet">The next ticks stand here as you type a schedule.</p>
      )}
    </div>
  );
}

/** In the words of the form, where it is about a field of it. */
function messageOf(problem: ApiProblem): string {
  const [fault = problem.message] = faultsIn(problem).values();
  return fault;
}

interface TicksProps {
  readonly preview: Answer<'POST /schedule/preview'>;
  readonly zone: string;
}

function Ticks({ preview: { next, sentence }, zone }: TicksProps): JSX.Element {
  const zones = [...new Set([zone, localZone])].filter(isKnownZone);
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
