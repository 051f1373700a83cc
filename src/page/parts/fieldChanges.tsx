import type { JSX } from 'preact';
import { showControls, showLine } from '../text/showControls.ts';
import { FullTime } from './timeText.tsx';

interface FieldChange {
  readonly field: string;
  /** Undefined: there was none, and nothing is said of it. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields as they were and as they are. */
export function FieldChanges({ changes }: { readonly changes: readonly FieldChange[] }) {
  return (
    <dl class="diff">
      {changes.map(({ after, before, field }) => (
        <div key={field}>
          <dt>{showLine(fieldWords(field))}</dt>
          <dd>
            {before !== undefined && (
              <del>
                <FieldValue value={before} />
              </del>
            )}
            {after !== undefined && (
              <ins>
                <FieldValue value={after} />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `excludeDates` as people write it. */
export function fieldWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function FieldValue({ value }: { readonly value: unknown }): JSX.Element {
  if (value === null || value === undefined) return <span class="none">none</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (Array.isArray(value))
    return <>{showLine(value.join(', ')) || <span class="none">none</span>}</>;
  if (typeof value === 'object') {
    const lines = Object.entries(value).map(([key, each]) => `${key}=${textOf(each)}`);
    return lines.length === 0 ? (
      <span class="none">none</span>
    ) : (
      <code>{showControls(lines.join('\n'))}</code>
    );
  }
  if (typeof value === 'string' && isInstant.test(value)) return <FullTime at={value} />;
  return <>{showControls(`${value}`)}</>;
}

const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}
