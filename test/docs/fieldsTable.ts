import { jobFields, pauseFields } from '../../src/domain/job/fields.ts';
import type { Field } from '../../src/domain/job/fieldTable/field.ts';
import { formatDuration } from '../../src/domain/time/duration.ts';
import { longLine } from './longLine.ts';

/** Every field of a job as docs/jobs.md shows it, made of the one table of fields. */
export function fieldsTable(): string {
  const headings = [...new Set(jobFields.map(({ heading }) => heading))];
  const sections = headings.map((heading) => {
    const fields = jobFields.filter((field) => field.heading === heading);
    const more = pauseFields.filter((field) => field.heading === heading);
    const lines = [...fields, ...more].map(fieldLine);
    return `### ${heading.replace(/:$/, '')}\n\n${lines.join('\n')}\n`;
  });
  return sections.join('\n');
}

function fieldLine(field: Field): string {
  const [, help = field.help, usual] = /^(.*) \((?:default: )?([^()]*)\)$/s.exec(field.help) ?? [];
  const value = field.value === '' ? '' : ` ${field.value}`;
  const byDefault = usual === undefined ? '' : ` Default: ${usual}.`;
  const takes = takesOf(field);
  const limits = takes === '' ? '' : ` Takes ${takes}.`;
  return longLine(`- \`${field.flag}${value}\`: ${help.replace(/\.$/, '')}.${limits}${byDefault}`);
}

function takesOf(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return Object.keys(field.choices).map(code).join(', ');
    case 'choices':
      return `some of ${field.choices.map(code).join(', ')}`;
    case 'duration': {
      const unitMs = 'seconds' in field && field.seconds === true ? 1_000 : 1;
      const [least, most] = [field.least, field.most].map((each) => formatDuration(each * unitMs));
      return `${least} to ${most}`;
    }
    case 'number':
      return `${field.least} to ${field.most.toLocaleString('en')}`;
    case 'size':
      return `${field.least.toLocaleString('en')} to ${field.most.toLocaleString('en')} bytes`;
    case 'list':
      return field.itemsMax === undefined ? '' : `${field.itemsMax} at most`;
    case 'variables':
      return field.bytesMax === undefined ? '' : `${field.bytesMax / 1_024} KiB in all`;
    case 'text':
    case 'switch':
      return '';
  }
}

const code = (word: string): string => `\`${word}\``;
