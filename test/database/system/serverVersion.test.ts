import assert from 'node:assert/strict';
import test from 'node:test';
import {
  describeVersion,
  isOlderSeries,
  isSupported,
  parseServerVersion,
} from '../../../src/database/system/serverVersion.ts';

const said = [
  {
    text: 'mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)',
    is: 'MariaDB 10.11.19',
    supported: true,
  },
  {
    text: '/usr/sbin/mysqld  Ver 10.5.29-MariaDB-0+deb11u1 for debian-linux-gnu on x86_64',
    is: 'MariaDB 10.5.29',
    supported: false,
  },
  {
    text: '/usr/sbin/mysqld  Ver 8.0.36-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu))',
    is: 'MySQL 8.0.36',
    supported: true,
  },
  {
    text: '/opt/9.1/sbin/mysqld  Ver 5.7.44 for Linux on x86_64 (MySQL Community Server (GPL))',
    is: 'MySQL 5.7.44',
    supported: false,
  },
  {
    text: 'mysqld  Ver 8.0.35-27 for Linux on x86_64 (Percona Server (GPL), Release 27)',
    is: 'MySQL 8.0.35',
    supported: true,
  },
  { text: '5.5.5-10.6.0-MariaDB-log', is: 'MariaDB 10.6.0', supported: true },
  { text: '8.0.0-dmr', is: 'MySQL 8.0.0', supported: false },
];

for (const { text, is, supported } of said) {
  test(`"${text.slice(0, 50)}" is ${is}, ${supported ? 'new enough' : 'too old'}`, () => {
    const version = parseServerVersion(text);
    assert.ok(version);
    assert.equal(describeVersion(version), is);
    assert.equal(isSupported(version), supported);
  });
}

test('a text without a version is no server', () => {
  assert.equal(parseServerVersion('mysqld: command not found, see /opt/9.1/doc'), undefined);
});

test('an older patch release reads the data of its own series, an older series does not', () => {
  assert.equal(isOlderSeries('10.11.2', '10.11.19'), false);
  assert.equal(isOlderSeries('10.6.21', '10.11.2'), true);
  assert.equal(isOlderSeries('11.4.1', '10.11.2'), false);
});
