import type { JSX } from 'preact';
import { ApiProblem } from '../api/apiProblem.ts';
import { callApi } from '../api/callApi.ts';
import { confirm } from '../parts/confirm.tsx';
import { linesOf, variablesOf } from '../text/variablesOf.ts';

interface RunQuestion {
  readonly job: string;
  readonly title: string;
  readonly says: string;
  readonly act: string;
}

/** Variables of one run, by their names. */
type Variables = Readonly<Record<string, string>>;

/** Asks whether to run it, and with which variables; null: it is not meant. */
export async function askVariables(question: RunQuestion): Promise<Variables | null> {
  const given = { text: '', fault: '' };
  const present = await readPresent(question.job);
  for (;;) {
    const { act, says, title } = question;
    const body = <RunFields says={says} given={given} present={present} />;
    if (!(await confirm({ title, body, act, isQuick: given.fault === '' }))) return null;
    const variables = readVariables(given.text);
    if (typeof variables !== 'string') return variables;
    given.fault = variables;
  }
}

interface FieldsProps {
  readonly says: string;
  /** What is typed, kept while the question is asked. */
  readonly given: { text: string; readonly fault: string };
  /** The job's own variables, as lines. */
  readonly present: string;
}

function RunFields({ given, present, says }: FieldsProps): JSX.Element {
  return (
    <>
      <p>{says}</p>
      <label class="asked">
        Variables for this run alone
        <textarea
          rows={Math.min(8, Math.max(2, present.split('\n').length))}
          spellcheck={false}
          placeholder={present || 'NAME=value, one a line'}
          defaultValue={given.text}
          aria-invalid={given.fault !== ''}
          onInput={({ currentTarget }) => {
            given.text = currentTarget.value;
          }}
        />
      </label>
      {given.fault !== '' && (
        <p class="fault" role="alert">
          {given.fault}
        </p>
      )}
    </>
  );
}

/** Secret ones are not among them. */
async function readPresent(job: string): Promise<string> {
  try {
    const { fields } = await callApi('GET /jobs/{job}', { path: { job } });
    const { env = {} } = fields as { readonly env?: Variables };
    return linesOf(env);
  } catch (error) {
    if (error instanceof ApiProblem) return '';
    throw error;
  }
}

/** The variables of lines `NAME=value`, or what is wrong with one. */
function readVariables(text: string): Variables | string {
  const isWrong = (line: string) => line.trim() !== '' && !/^\s*[A-Za-z_][A-Za-z0-9_]*=/.test(line);
  const wrong = text.split('\n').find(isWrong);
  if (wrong !== undefined) return `“${wrong.trim()}” is no variable: write NAME=value.`;
  return variablesOf(text);
}
