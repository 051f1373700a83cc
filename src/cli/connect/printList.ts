import type { ShownOperator } from '../../http/views/shownOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printNote, printTable } from '../output/print.ts';
import { withOperator } from './withOperator.ts';

interface Listing<Item> {
  readonly ask: (operator: ShownOperator) => Promise<readonly Item[]>;
  /** Said when there are no items. */
  readonly none: string;
  readonly headings: readonly string[];
  readonly rowOf: (item: Item) => readonly string[];
}

/** Prints a whole list of a cluster's: in JSON as the API has it, else as a table. */
export async function printList<Item>(
  options: ClusterOptions & { readonly json?: boolean },
  { ask, none, headings, rowOf }: Listing<Item>,
): Promise<void> {
  const items = await withOperator(options, ask);
  if (options.json) printJson(items);
  else if (items.length === 0) printNote(none);
  else printTable(headings, items.map(rowOf));
}
