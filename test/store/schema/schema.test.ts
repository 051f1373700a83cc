import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { createConnection } from 'mysql2/promise';
import { mismatches, readSchemaText } from '../../schema/schemaText.ts';
import { createMigratedDatabase } from '../../support/createDatabase.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/schema.sql');

test('docs/schema.sql is the schema, with a sentence for each table and column', async (t) => {
  const connection = await createConnection(await createMigratedDatabase(t, 'mariadb'));
  t.after(() => connection.end());
  assert.deepEqual(await mismatches(connection), []);
  const text = await readSchemaText(connection);
  if (process.env.STATECRON_WRITE_SCHEMA === '1') await writeFile(file, text);
  assert.equal(await readFile(file, 'utf8'), text, 'write it anew with: npm run schema');
});

test('a table or column without a sentence is found, and a sentence without one', async (t) => {
  const connection = await createConnection(await createMigratedDatabase(t, 'mariadb'));
  t.after(() => connection.end());
  await connection.query('ALTER TABLE note ADD COLUMN colour INT, DROP COLUMN note_value');
  await connection.query('CREATE TABLE colour (colour_id INT)');
  assert.deepEqual((await mismatches(connection)).sort(), [
    'colour has no sentence',
    'colour.colour_id has no sentence',
    'note.colour has no sentence',
    'note.note_value is not there',
  ]);
});
