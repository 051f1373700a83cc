import type { JSX } from 'preact';
import { formFields } from '../../jobs/jobFieldTable.ts';
import { FieldValue, fieldWords } from '../../parts/fieldChanges.tsx';
import { Fact, Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/statusBadge.tsx';
import { Took } from '../../parts/timeText.tsx';
import { linkTo } from '../../state/place.ts';
import { countOf } from '../../text/formatNumber.ts';
import { showControls, showLine } from '../../text/showControls.ts';
import { isManual, type ShownJob } from './shownJob.ts';

/** What a job is: in a sentence, and field by field where it is not at its default. */
export function JobFacts({ job }: { readonly job: ShownJob }): JSX.Element {
  const { command, cron: _, ...fields } = job.fields as Readonly<Record<string, unknown>>;
  const rest = Object.entries(fields).filter(([name]) => name !== 'description');
  return (
    <Section title="What it is">
      <p class="sentence">{sentenceOf(job)}</p>
      <pre class="command">{showControls(`${command}`)}</pre>
      <dl class="facts">
        {rest.map(([name, value]) => (
          <Fact key={name} term={fieldWords(name)} meaning={helpOf(name)}>
            <FieldValue value={value} />
          </Fact>
        ))}
        <Fact term="may run on">
          {job.mayRunOn.length === 0 ? (
            <StatusBadge status="missed" word="no live node" />
          ) : (
            showLine(job.mayRunOn.join(', '))
          )}
        </Fact>
        <Fact term="at present">
          <AtPresent job={job} />
        </Fact>
      </dl>
    </Section>
  );
}

/** What the form says of the field. */
function helpOf(name: string): string | undefined {
  return formFields.find(({ key }) => key === name)?.help;
}

/** In one line, whatever happens, so that nothing below it moves. */
function AtPresent({ job: { pending, slots } }: { readonly job: ShownJob }): JSX.Element {
  const executing = slots.filter(({ state }) => state === 'executing');
  const prepared = slots.filter(({ state }) => state === 'prepare');
  const waiting = pending === 0 ? '' : `, ${countOf(pending, 'launch', 'launches')} waiting`;
  const [slot] = executing.length > 0 ? executing : prepared;
  if (slot === undefined) return <>nothing runs{waiting}</>;
  const { launchId, node, startedAt, stopping } = slot;
  return (
    <>
      <a href={linkTo(['runs', launchId ?? ''])}>{startedAt ? 'running' : 'prepared'}</a> on{' '}
      {showLine(node ?? '')}
      {startedAt && (
        <>
          {' '}
          for <Took from={startedAt} to={null} />
        </>
      )}
      {stopping && ', stopping'}
      {executing.length + prepared.length > 1 &&
        `, ${executing.length} running and ${prepared.length} prepared in all`}
      {waiting}
    </>
  );
}

function sentenceOf(job: ShownJob): JSX.Element {
  const { definition, fields, group } = job;
  const { cron = [], description } = fields as { cron?: readonly string[]; description?: string };
  const { kind } = definition as { kind?: string };
  const every = kind === 'every-node' ? 'Each node that may' : 'One node';
  return (
    <>
      {description && (
        <>
          {showLine(description)}
          <br />
        </>
      )}
      {every} runs it{' '}
      {isManual(job) ? (
        'only when it is asked for'
      ) : (
        <>
          at <ScheduleCode texts={cron} /> in the zone {showLine(definition.timezone)}
        </>
      )}
      {group !== 'default' && <>, as a job of the group {showLine(group)}</>}.
    </>
  );
}

function ScheduleCode({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <>
      {texts.map((text, place) => (
        <span key={text}>
          {place > 0 && ' and '}
          <code>{showLine(text)}</code>
        </span>
      ))}
    </>
  );
}
