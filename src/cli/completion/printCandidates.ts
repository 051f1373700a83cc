import type { Command } from 'commander';
import { objectNames } from '../connect/objectNames.ts';
import { loadOperator, withAnyOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { escapeControls } from '../output/escapeControls.ts';
import { writeOut } from '../output/print.ts';
import { type Candidate, type Completion, completeWords } from './completeWords.ts';

/**
 * Answers a shell that completes a command line: a candidate a line, behind a tab what it means.
 * A person is typing meanwhile, so what the cluster does not say soon is left out, and no error is
 * of use. Connections may be left behind: the process has to be ended.
 */
export async function printCandidates(program: Command, words: readonly string[]): Promise<void> {
  const completion = completeWords(program, words);
  const word = words.at(-1) ?? '';
  // Only the wait for the cluster is limited: on a busy machine the modules alone take longer.
  if (completion.names !== null) await loadOperator(completion.options as ClusterOptions);
  const names = await Promise.race([readNames(completion).catch(() => []), silence()]);
  for (const each of [...completion.candidates, ...names]) {
    if (!each.word.startsWith(word)) continue;
    await writeOut(`${escapeControls(each.word)}\t${escapeControls(firstSentence(each.help))}\n`);
  }
}

async function readNames({ before, names, options, typed }: Completion): Promise<Candidate[]> {
  if (names === null) return [];
  return withAnyOperator(options as ClusterOptions, async (operator) => {
    const found = operator === null ? [] : await objectNames[names](operator, typed);
    return found.map((name) => ({ word: `${before}${name}`, help: helpOf[names] }));
  });
}

const helpOf = {
  job: 'job',
  jobGroup: 'group of jobs',
  limit: 'group of jobs with a limit',
  group: 'group of nodes',
  target: 'notification target',
  token: 'token',
  node: 'node',
} as const;

/** With the start of the process it is about a second. */
const waitMaxMs = 700;

async function silence(): Promise<Candidate[]> {
  return new Promise((resolve) => setTimeout(resolve, waitMaxMs, []));
}

function firstSentence(help: string): string {
  return help.replace(/[.;:]\s[\s\S]*$/, '').replace(/\.$/, '');
}
