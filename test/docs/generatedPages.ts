import { docPage } from '../support/docPages.ts';
import { commandsPage } from './commandsPage.ts';
import { fieldsTable } from './fieldsTable.ts';

const begin = '<!-- All fields, written by: npm run docs -->\n';
const end = '<!-- end of all fields -->\n';

/** The pages that are made of definitions, as they should stand, by their names. */
export async function generatedPages(): Promise<Record<string, string>> {
  const [before = '', rest = ''] = docPage('jobs').split(begin);
  const [, after = ''] = rest.split(end);
  return {
    commands: await commandsPage(),
    jobs: `${before}${begin}\n${fieldsTable()}\n${end}${after}`,
  };
}
