import { type Fault, lineOf, type Rule, ruleOfTree } from './sourceFile.ts';
import { literalText, walk } from './syntax.ts';

/** How statements begin; words alone would find them in sentences too. */
const beginnings =
  'SELECT|INSERT (?:IGNORE )?INTO|UPDATE [^ ]+ (?:\\w+ )?(?:SET|JOIN)|DELETE FROM|REPLACE INTO|' +
  'START TRANSACTION|BEGIN$|COMMIT$|ROLLBACK|SAVEPOINT|WITH [^ ]+ AS|' +
  '(?:CREATE|ALTER|DROP|TRUNCATE|SHOW|LOCK|UNLOCK) [A-Z]{3,}|KILL |ANALYZE |EXPLAIN |CALL |' +
  'SET (?:SESSION|GLOBAL|@|TRANSACTION|NAMES)';
const naming = String.raw`/\*\s*[\w…][^*]*\*/`;
const statement = new RegExp(`^(?:/\\*[^*]*\\*/ ?)?(?:${beginnings})(?![\\w-])`);
const named = new RegExp(`^${naming} ?(?:${beginnings})(?![\\w-])`);

/** The private server's first statements, before there is a database that a store could open. */
const beforeTheStore = new Set(['src/database/server/connectPrivate.ts']);

/** SQL stands in the store, and tests may look at the database for themselves. */
export const sqlRoom: Rule = ruleOfTree(({ path, tree }, add) => {
  if (mayHaveSql(path) || path.startsWith('test/')) return;
  walk(tree, (node) => {
    const text = flat(literalText(node));
    if (statement.test(text)) add(lineOf(node), `has SQL: ${text.slice(0, 50)}`);
  });
});

/** Each statement of the store begins with its name, so that a slow one can be found in a log. */
export const sqlNames: Rule = ruleOfTree(({ path, tree }, add) => {
  if (!mayHaveSql(path)) return;
  walk(tree, (node) => {
    const text = flat(literalText(node));
    if (!statement.test(text) || named.test(text)) return;
    add(lineOf(node), `has SQL without a name: ${text.slice(0, 50)}`);
  });
});

/** A migration is named by its file; a comment at its head says what it is for. */
export const migrationComments: Rule = (files) =>
  files.flatMap(({ path, text }): Fault[] =>
    !path.endsWith('.sql') || /^(--|\/\*)/.test(text.trimStart())
      ? []
      : [{ path, line: 1, says: 'does not begin with a comment that says what it is for' }],
  );

function mayHaveSql(path: string): boolean {
  return path.startsWith('src/store/') || beforeTheStore.has(path);
}

function flat(text: string | null): string {
  return text === null ? '' : text.replace(/\s+/g, ' ').trim();
}
