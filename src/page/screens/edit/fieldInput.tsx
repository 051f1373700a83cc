import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type FormField, labelOf } from '../../jobs/jobFieldTable.ts';

interface InputProps {
  readonly field: FormField;
  readonly text: string;
  /** It stands before what the schedule means, also in one column. */
  readonly isEarly: boolean;
  /** What the node finds wrong with it. */
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
  readonly onLeave: () => void;
}

/** A field of the form, with what it does and what is wrong with it. */
export function FieldInput(props: InputProps): JSX.Element {
  const id = useId();
  const { fault, field, isEarly } = props;
  const { help, isNeeded } = field;
  const words = isChosen(field) ? help.replace(defaultInHelp, '') : help;
  const sentence = shellWords.reduce((said, [shell, onPage]) => said.replace(shell, onPage), words);
  return (
    <div class={`field${isEarly ? ' early' : ''}${fault === undefined ? '' : ' wrong'}`}>
      <label for={id}>
        {labelOf(field)}
        {isNeeded && <span class="quiet"> (needed)</span>}
      </label>
      <Control id={id} {...props} />
      <p id={`${id}-help`} class="quiet">
        {sentence}
      </p>
      {fault !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {fault}
        </p>
      )}
    </div>
  );
}

function isChosen({ kind }: FormField): boolean {
  return kind === 'switch' || kind === 'choice';
}

/** At the end of its help the value that counts without one. */
const defaultInHelp = / \((?:default: )?([^()]+)\)$/;

function Control(props: InputProps & { id: string }): JSX.Element {
  const { fault, field, id, onLeave, onText, text } = props;
  const { choices, isNeeded, key, kind } = field;
  const common = {
    id,
    'aria-invalid': fault !== undefined,
    'aria-required': isNeeded,
    onBlur: onLeave,
    'aria-describedby': fault === undefined ? `${id}-help` : `${id}-help ${id}-fault`,
  };
  if (isChosen(field)) {
    const byDefault = defaultInHelp.exec(field.help)?.[1];
    const named = kind === 'choice' ? Object.entries(choices ?? {}) : switched;
    return (
      <select
        {...common}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      >
        <option value="">{byDefault === undefined ? 'default' : `default (${byDefault})`}</option>
        {named.map(([name, meaning]) => (
          <option key={name} value={name}>
            {meaning === '' ? name : `${name}: ${meaning}`}
          </option>
        ))}
      </select>
    );
  }
  const isLong = kind === 'list' || kind === 'variables' || kind === 'choices';
  if (isLong || key === 'command' || key === 'stdin') {
    const lines = text.split('\n').length;
    return (
      <textarea
        {...common}
        rows={Math.min(12, Math.max(key === 'command' ? 3 : 1, lines))}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    );
  }
  return (
    <input
      {...common}
      type="text"
      spellcheck={false}
      placeholder={placeholderOf(field)}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

/** What the help says of the command line, and what that is here. */
const shellWords = [
  [/; (may be repeated|repeatable)$/, '; one a line'],
  [/; without =V: as in your environment$/, '; one a line, NAME=value'],
  [/ \(see statecron notify\)/, ''],
] as const;

/** What counts without a value is shown as it is; all else is an example. */
function placeholderOf({ key, kind }: FormField): string {
  const example = examples[key] ?? exampleOf[kind];
  return key === 'timezone' ? 'UTC' : example === undefined ? '' : `e.g. ${example}`;
}

/** What may be typed; of the others the help says enough. */
const examples: Readonly<Record<string, string>> = {
  name: 'nightly-backup',
  group: 'billing',
  description: 'Copies the orders to the archive',
  cwd: '/srv/billing',
};
const exampleOf: Readonly<Partial<Record<FormField['kind'], string>>> = {
  duration: '10m',
  size: '64KiB',
  number: '3',
};

const switched = [
  ['true', 'yes'],
  ['false', 'no'],
] as const;
