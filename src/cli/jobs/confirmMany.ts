import { createInterface } from 'node:readline/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { counted } from '../../domain/text/counted.ts';

/** How the number of jobs that a command is about is confirmed. */
export interface Confirmation {
  readonly yes?: boolean;
  readonly expect?: number;
  readonly json?: boolean;
}

/** The jobs that match: how many, and the names of some. */
interface Matches {
  readonly matched: number;
  readonly names: readonly string[];
}

/**
 * How many jobs have to match: the number that a person has seen or given.
 * @param verb what is done to them, as in "Pause 3 jobs?"
 * @throws OperatorError (2) `not_confirmed`
 */
export async function confirmMany(
  verb: string,
  { matched, names }: Matches,
  { expect, json, yes }: Confirmation,
): Promise<number> {
  if (expect !== undefined) return expect;
  if (yes) return matched;
  if (process.stdin.isTTY && !json) {
    const shown = names.slice(0, namesShown);
    const more = matched > shown.length ? ', …' : '';
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and Ctrl-D are a no.
    const question = `${verb} ${counted(matched, 'job')} (${shown.join(', ')}${more})? [y/N] `;
    const answer = await lines.question(question).catch(() => '');
    lines.close();
    if (/^y(es)?$/i.test(answer.trim())) return matched;
  }
  throw new OperatorError({
    code: 'not_confirmed',
    message: `${counted(matched, 'job matches', 'jobs match')}. Nothing was changed.`,
    hint: `Look with --dry-run; give --expect ${matched}, or --yes for however many there are.`,
    exitCode: exitCodes.usage,
  });
}

const namesShown = 5;
