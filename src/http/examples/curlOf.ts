import { quoteForShell } from '../../domain/text/quoteForShell.ts';
import type { Example } from './example.ts';

/** No other user of the machine sees the token there, as it would be seen among the arguments. */
const tokenHeader = '-H @<(echo "Authorization: Bearer $(<"$STATECRON_TOKEN_FILE")")';
const lineCharactersMax = 88;

/** A call of curl for bash that sends the example as it is printed. */
export function curlOf(method: string, example: Example, isOpen: boolean): string {
  const { body, bodyArgument, file, headers = {}, isStream = false, path } = example;
  const json = bodyArgument ?? (body && quoteForShell(jsonText(body)));
  const sent = file === undefined ? json && `-d ${json}` : `--data-binary ${quoteForShell(file)}`;
  const verb = method === (sent === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`;
  const type = file === undefined ? 'application/json' : 'application/yaml';
  const parts = [
    `curl -sS${isStream ? 'N' : ''}${verb} "$STATECRON_URL${path}"`,
    ...(isOpen ? [] : [tokenHeader]),
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(sent === undefined ? [] : [`-H "Content-Type: ${type}"`, sent]),
  ];
  return parts.join(' \\\n  ');
}

/** On one line where it fits. */
function jsonText(body: object): string {
  const line = JSON.stringify(body);
  return line.length <= lineCharactersMax ? line : JSON.stringify(body, null, 2);
}
