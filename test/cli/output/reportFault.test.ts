import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseFlags } from '../../../src/cli/options/givenDatabase.ts';
import { forDatabase } from '../../../src/cli/output/reportFault.ts';
import { migrateHint } from '../../../src/store/connection/grantStatement.ts';

test('a hint to migrate leaves account and password open, one to confirm names both', () => {
  const flags = databaseFlags({
    databaseUrl: 'mysql://statecron:secret@db.example.org/copy',
    databasePasswordFile: "/etc/its own's/password",
  });
  const open = 'mysql://ACCOUNT:PASSWORD@db.example.org/copy --database-password-file FILE';
  assert.ok(forDatabase(migrateHint, flags).includes(`migrate --database-url ${open}, as an`));
  const confirm = forDatabase('Do: statecron restore --confirm', flags);
  assert.ok(confirm.endsWith(`--confirm${flags}`), confirm);
  const file = databaseFlags({ databaseUrlFile: '/etc/url' });
  assert.match(forDatabase(migrateHint, file), /migrate --database-url-file FILE, as an account/);
  const without = databaseFlags({ databaseUrl: 'mysql://db.example.org:3307/copy' });
  assert.ok(forDatabase(migrateHint, without).includes(`migrate${without}, as`));
});
