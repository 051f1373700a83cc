import type { JSX } from 'preact';
import { callApi } from '../../api/callApi.ts';
import { scheduleIn } from '../../api/scheduleIn.ts';
import { useResource } from '../../api/useResource.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Scrolls } from '../../parts/scrolls.tsx';
import { Section } from '../../parts/section.tsx';
import { Time, Until, ZoneName } from '../../parts/timeText.tsx';
import { zone as readersZone } from '../../state/choices.ts';
import { quarter } from '../../state/clock.ts';
import { formatDayTime, isKnownZone, type Zone, zoneName } from '../../text/formatTime.ts';
import { showLine } from '../../text/showControls.ts';
import { isManual, type ShownJob } from './shownJob.ts';

interface ReadTicks {
  readonly next: readonly string[];
  /** What the schedule says, in English; null: the node knows no sentence that is true of it. */
  readonly sentence: string | null;
}

/** The next ten ticks in the job's zone, the reader's and UTC. */
export function NextTicks({ job }: { readonly job: ShownJob }): JSX.Element {
  const ticks = useResource(`${job.jobId}-${job.revision}-${job.paused}-${job.resumeAt}`, {
    read: async (signal, before: ReadTicks | null) => {
      const query = { count: '10' };
      const [{ next }, sentence] = await Promise.all([
        callApi('GET /jobs/{job}/next', { path: { job: job.job }, query, signal }),
        before === null ? readSentence(job, signal) : before.sentence,
      ]);
      return { next, sentence };
    },
    isAbout: (event) => event.type.startsWith('run.') && 'job' in event && event.job === job.job,
  });
  const { timezone } = job.definition;
  const zones = [...new Set([timezone, readersZone.value, 'UTC'])].filter(isKnownZone);
  const hasTicks = !job.paused && job.next.length > 0;
  const noTick = isManual(job)
    ? 'None: it runs only when it is asked for.'
    : 'Its schedule names none.';
  return (
    <Section title="Next ticks" class={hasTicks ? 'ten-ticks' : ''}>
      <Loaded of={ticks} lines={hasTicks ? 11 : 2}>
        {({ next, sentence }) => (
          <>
            {sentence !== null && <p class="sentence">{showLine(sentence)}</p>}
            {job.resumeAt !== null && next.length > 0 && (
              <p class="quiet">
                None before <Time at={job.resumeAt} /> <ZoneName />, when the pause ends.
              </p>
            )}
            {next.length === 0 ? (
              <p class="quiet">{job.paused ? 'None while the job is paused.' : noTick}</p>
            ) : (
              <TicksTable ticks={next} zones={zones} ofJob={timezone} />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface TicksProps {
  readonly ticks: readonly string[];
  readonly zones: readonly Zone[];
  /** The job's zone. */
  readonly ofJob: Zone;
}

/** The name of a zone stands at its times where a change of its clocks gives it another. */
function TicksTable({ ofJob, ticks, zones }: TicksProps): JSX.Element {
  const namesOf = (zone: Zone) => new Set(ticks.map((at) => zoneName(zone, Date.parse(at))));
  const columns = zones.map((zone) => ({ zone, names: [...namesOf(zone)] }));
  // Of whole minutes there are no seconds, so that three zones have room beside each other.
  const areWhole = ticks.every((at) => Date.parse(at) % 60_000 === 0);
  const textOf = (at: string, zone: Zone) =>
    formatDayTime(Date.parse(at), zone, quarter.value).slice(0, areWhole ? -3 : undefined);
  return (
    <Scrolls label="Next ticks">
      <table class="next-ticks">
        <thead>
          <tr>
            <th scope="col">In</th>
            {columns.map(({ names, zone }) => (
              <th key={zone} scope="col">
                {zone}
                <span class="quiet">{headText(zone, names, ofJob)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ticks.map((at) => (
            <tr key={at}>
              <td class="nowrap">
                <Until at={at} />
              </td>
              {columns.map(({ names, zone }) => (
                <td key={zone} class="nowrap number">
                  {textOf(at, zone)}{' '}
                  {names.length > 1 && <span class="quiet">{zoneName(zone, Date.parse(at))}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

function headText(zone: Zone, names: readonly string[], ofJob: Zone): string {
  const name = names.length === 1 && names[0] !== zone ? names : [];
  const whose = zone === ofJob ? ['the job’s'] : zone === readersZone.value ? ['yours'] : [];
  return [...name, ...whose].join(', ');
}

async function readSentence({ fields, job }: ShownJob, signal: AbortSignal) {
  const body = { ...scheduleIn(fields), name: job, count: 1 };
  return (await callApi('POST /schedule/preview', { body, signal })).sentence;
}
