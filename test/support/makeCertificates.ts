import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Scope } from './createDatabase.ts';

/** Files of certificates for localhost that sign themselves, by name; null without openssl. */
export function makeCertificates<Name extends string>(scope: Scope, ...names: Name[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statecron-https-'));
  scope.after(async () => rmSync(folder, { recursive: true }));
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  const subject = ['-addext', 'subjectAltName=DNS:localhost', '-days', '2'];
  try {
    const files = names.map((name) => {
      const [certFile, keyFile] = [path.join(folder, `${name}.cert`), path.join(folder, name)];
      const out = ['-keyout', keyFile, '-out', certFile];
      execFileSync('openssl', [...made, ...subject, ...out], { stdio: 'pipe' });
      return [name, { certFile, keyFile }] as const;
    });
    return Object.fromEntries(files) as Record<Name, { certFile: string; keyFile: string }>;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}
