import type { ShownOperator } from '../../http/views/shownOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printNote, printTable } from '../output/print.ts';
import { withOperator } from './withOperator.ts';

/** Sends a request to the cluster and prints the answer, in JSON as the API has it or as text. */
export async function printAnswer<Answer>(
  options: ClusterOptions,
  send: (operator: ShownOperator) => Promise<Answer>,
  printText: (answer: Answer) => void,
): Promise<void> {
  const answer = await withOperator(options, send);
  if (options.json) printJson(answer);
  else printText(answer);
}

interface Listing<Item> {
  readonly read: (operator: ShownOperator) => Promise<readonly Item[]>;
  /** Printed when there are no items. */
  readonly empty: string;
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
}

/** Prints a whole list of a cluster's: in JSON as the API has it, else as a table. */
export async function printList<Item>(
  options: ClusterOptions,
  { read, empty, headings, rowOf }: Listing<Item>,
): Promise<void> {
  await printAnswer(options, read, (items) => {
    if (items.length === 0) printNote(empty);
    else printTable(headings, items.map(rowOf));
  });
}
