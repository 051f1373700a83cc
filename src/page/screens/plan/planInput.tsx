import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';

interface InputProps {
  readonly file: Signal<string>;
  readonly prune: Signal<boolean>;
  onChange(): void;
}

const example = `group: web
jobs:
  report:
    cron: 0 8 * * MON-FRI
    command: ./report.sh`;

/** Where a file of jobs is typed, pasted or chosen. */
export function PlanInput({ file, onChange, prune }: InputProps): JSX.Element {
  const take = (text: string) => {
    file.value = text;
    onChange();
  };
  return (
    <div class="source">
      <label class="asked">
        A file of jobs, in YAML or JSON
        <textarea
          rows={20}
          spellcheck={false}
          placeholder={example}
          value={file.value}
          onInput={({ currentTarget }) => take(currentTarget.value)}
          data-search
        />
      </label>
      <label class="asked">
        or choose one
        <input
          type="file"
          accept=".yaml,.yml,.json"
          onChange={async ({ currentTarget: { files } }) => {
            const [chosen] = files ?? [];
            if (chosen !== undefined) take(await chosen.text());
          }}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={prune.value}
          onChange={({ currentTarget }) => {
            prune.value = currentTarget.checked;
            onChange();
          }}
        />
        Remove jobs of its groups that are not in it
      </label>
    </div>
  );
}
