import type { Command } from 'commander';
import { Actions } from '../connect/actions.ts';
import { addJsonOption } from '../options/clusterOptions.ts';

/** `statecron docs`: the pages of the documentation. */
export function addDocsCommand(program: Command): void {
  const docs = program
    .command('docs [topic]')
    .description('Show a page of the documentation, or list the pages; needs no database.');
  new Actions(() => import('./docsAction.ts')).plain(
    addJsonOption(docs),
    `
  $ statecron docs
  $ statecron docs schedules
  $ statecron docs jobs | grep -A 8 overlap
On a terminal a page is shown by $PAGER, or by less.`,
    (module) => module.docsAction,
  );
}
