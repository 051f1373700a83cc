import type { Connection, RowDataPacket } from 'mysql2/promise';
import { sentences } from './sentences.ts';
import { sharedColumns } from './sharedColumns.ts';

const width = 100;

/** `docs/schema.sql`: the tables of a migrated database, each with its sentences as comments. */
export async function readSchemaText(connection: Connection): Promise<string> {
  const columns = await ask(connection, selectColumns);
  const keys = await ask(connection, selectKeys);
  const names = [...new Set(columns.map((row) => String(row.tbl)))];
  const tables = names.map((name) =>
    tableText(
      name,
      columns.filter(({ tbl }) => tbl === name),
      keys.filter(({ tbl }) => tbl === name),
    ),
  );
  return `${head}\n${tables.join('\n')}`;
}

/** Names of what has no sentence, and of sentences about what is not there. */
export async function mismatches(connection: Connection): Promise<string[]> {
  const rows = await ask(connection, selectColumns);
  const found = new Set(rows.flatMap(({ tbl, col }) => [`${tbl}`, `${tbl}.${col}`]));
  const said = Object.entries(sentences).flatMap(([table, { columns = {} }]) => [
    table,
    ...Object.keys(columns).map((column) => `${table}.${column}`),
  ]);
  const isSaid = new Set(said);
  const unsaid = [...found].filter((name) => {
    const [, column] = name.split('.');
    return !isSaid.has(name) && (column === undefined || sharedColumns[column] === undefined);
  });
  const shared = Object.keys(sharedColumns).filter((name) => !rows.some(({ col }) => col === name));
  return [
    ...unsaid.map((name) => `${name} has no sentence`),
    ...[...said.filter((name) => !found.has(name)), ...shared].map(
      (name) => `${name} is not there`,
    ),
  ];
}

const head = `-- The schema of statecron's database, for reading: written by \`npm run schema\`.
-- What runs are the migrations. Instants are UTC by the database's clock, in milliseconds; all
-- tables are InnoDB, texts are compared by their bytes, flags are 0 or 1.
`;

function tableText(table: string, columns: RowDataPacket[], keys: RowDataPacket[]): string {
  const lines = columns.map((row) => {
    const sentence = sentences[table]?.columns?.[row.col] ?? sharedColumns[row.col];
    return [...comment(sentence, '  -- '), `  ${row.col} ${typeOf(row)}`].join('\n');
  });
  const indexes = keys.map(({ name, isUnique, cols }) => {
    if (name === 'PRIMARY') return `  PRIMARY KEY (${cols})`;
    return `  ${Number(isUnique) === 1 ? 'UNIQUE ' : ''}KEY ${name} (${cols})`;
  });
  const all = [...lines, ...indexes].join(',\n');
  return [...comment(sentences[table]?.table, '-- '), `CREATE TABLE ${table} (`, all, ');\n'].join(
    '\n',
  );
}

function comment(sentence: string | undefined, start: string): string[] {
  const lines: string[] = [];
  for (const word of sentence?.split(' ') ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(start + word);
  }
  return lines;
}

/** Without the widths of integers, which one server shows and the other does not. */
function typeOf({ type, isNullable, preset, extra }: RowDataPacket): string {
  const kind = String(type).replace(/int\(\d+\)/, 'int');
  const value = preset === null || preset === 'NULL' ? '' : ` DEFAULT ${preset}`;
  const counted = String(extra).includes('auto_increment') ? ' AUTO_INCREMENT' : '';
  return `${kind}${isNullable === 'YES' ? '' : ' NOT NULL'}${value}${counted}`;
}

async function ask(connection: Connection, sql: string): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql);
  return rows;
}

const selectColumns = `SELECT table_name AS tbl, column_name AS col, column_type AS type,
    is_nullable AS isNullable, column_default AS preset, extra
  FROM information_schema.columns WHERE table_schema = DATABASE()
  ORDER BY table_name, ordinal_position`;
const selectKeys = `SELECT table_name AS tbl, index_name AS name, MIN(1 - non_unique) AS isUnique,
    GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ', ') AS cols
  FROM information_schema.statistics WHERE table_schema = DATABASE()
  GROUP BY table_name, index_name ORDER BY table_name, index_name <> 'PRIMARY', index_name`;
