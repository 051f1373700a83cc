import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { packageVersion } from '../../../src/cli/connect/packageVersion.ts';
import { printTemplate, templates } from '../../../src/cli/print/printCommand.ts';
import { askCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-printed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const names = Object.keys(templates) as (keyof typeof templates)[];

/** Why a program cannot check what is printed here; false: it can. */
function missing(program: string, ...args: string[]): string | false {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 30_000 });
    return false;
  } catch {
    return `not run: there is no ${[program, ...args].join(' ')} on this machine`;
  }
}

/** What the program says of the file; fails with it. */
function check(
  what: keyof typeof templates,
  name: string,
  command: string[],
  users?: string[],
): string {
  const file = path.join(folder, name);
  writeFileSync(file, printTemplate(what, users));
  const [program = '', ...args] = command;
  return execFileSync(program, [...args, file], { encoding: 'utf8', stdio: 'pipe' });
}

test('nothing is printed with a hole in it', () => {
  for (const what of names) {
    const text = printTemplate(what);
    assert.doesNotMatch(text, /@[A-Z]+@/, what);
    assert.ok(text.endsWith('\n') && !text.includes('\r'), what);
  }
});

test('systemd finds no fault with the unit', {
  skip: missing('systemd-analyze', '--version'),
}, () => {
  for (const users of [[], ['nobody']]) {
    const said = check('unit', 'statecron.service', ['systemd-analyze', 'verify'], users);
    assert.equal(said, '');
  }
});

test('promtool finds no fault with the alert rules', {
  skip: missing('promtool', '--version'),
}, () => {
  assert.match(check('alerts', 'alerts.yaml', ['promtool', 'check', 'rules']), /SUCCESS/);
});

test('docker compose reads its file', { skip: missing('docker', 'compose', 'version') }, () => {
  for (const name of ['database-password', 'root-password']) {
    writeFileSync(path.join(folder, name), 'x');
  }
  const file = path.join(folder, 'compose.yaml');
  writeFileSync(file, printTemplate('compose'));
  execFileSync('docker', ['compose', '--file', file, 'config', '--quiet'], { stdio: 'pipe' });
});

/** The settings of the unit, by section and name. */
function unitSettings(users: string[] = []): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  let section = '';
  const text = printTemplate('unit', users).replace(/\\\n\s*/g, '');
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const header = /^\[(\w+)\]$/.exec(line)?.[1];
    if (header !== undefined) section = header;
    else {
      const setting = /^(\w+)=(.*)$/.exec(line);
      assert.ok(setting, line);
      const name = `${section}.${setting[1]}`;
      settings.set(name, [...(settings.get(name) ?? []), setting[2] ?? '']);
    }
  }
  return settings;
}

test('the unit waits for the node, feeds on its lease, and lets it drain', () => {
  const settings = unitSettings();
  const one = (name: string): string => settings.get(`Service.${name}`)?.join() ?? '';
  assert.equal(one('Type'), 'notify');
  // No job may speak for it: its messages come from the main process, which Perl becomes.
  assert.equal(one('NotifyAccess'), 'main');
  assert.equal(one('KillMode'), 'control-group');
  // Or each job would get a SIGTERM of its own at a stop.
  assert.match(one('ExecStop'), /kill -s TERM "\$\$MAINPID".*tail --pid="\$\$MAINPID"/s);
  assert.equal(one('OOMPolicy'), 'continue');
  assert.match(one('RestartPreventExitStatus'), /\b78\b/);
  assert.ok(Number(one('TimeoutStopSec')) > 30 + 5, 'longer than a drain');
  assert.match(one('WatchdogSec'), /^[23]min$/, 'longer than a fence and a start');
  const [perl, script = '', node, ...rest] = one('ExecStart').split(' ');
  assert.deepEqual(
    [perl, node, ...rest.slice(1)],
    ['/usr/bin/perl', process.execPath, 'node', '--http', '7700'],
  );
  assert.ok(existsSync(script), script);
  assert.doesNotMatch(printTemplate('unit'), /mysql:\/\/[^@\s]*:[^@\s]*@/, 'no password in it');
});

test('the unit takes nothing from jobs but what its user could not end', async () => {
  const restricting = /^Service\.(?:NoNew|Capab|Private|Protect|Restrict|Lock|System|ReadOnly)/;
  const taken = (users?: string[]) =>
    [...unitSettings(users).keys()].filter((name) => restricting.test(name));
  assert.deepEqual(taken(), ['Service.NoNewPrivileges', 'Service.CapabilityBoundingSet']);
  assert.deepEqual(taken(['backup']), []);
  const ofRoot = unitSettings(['backup', 'www-data']);
  assert.deepEqual(ofRoot.get('Service.User'), ['root']);
  assert.doesNotMatch(printTemplate('unit', ['backup']), /useradd/, 'it needs no user statecron');
  const [start = ''] = ofRoot.get('Service.ExecStart') ?? [];
  assert.ok(start.endsWith(' node --http 7700 --allow-user backup --allow-user www-data'), start);
  const { stdout } = await askCli(['print', 'unit', '--allow-user', 'backup']);
  assert.match(stdout, /^User=root$/m);
  const nobody = await askCli(['print', 'unit', '--allow-user', 'nobody-here']);
  assert.equal(nobody.code, 0);
  assert.match(nobody.stdout, / --allow-user nobody-here$/m);
  assert.match(nobody.stderr, /^warning: there is no user nobody-here on this machine: where /);
  const wrong = [
    ['unit', '--allow-user', 'no body'],
    ['alerts', '--allow-user', 'backup'],
  ];
  for (const words of wrong) {
    const { code, stderr } = await askCli(['print', ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /--allow-user/);
  }
});

test('units of several nodes on one machine have folders of their own', () => {
  for (const users of [[], ['backup']]) {
    const settings = unitSettings(users);
    const one = (name: string): string => settings.get(`Service.${name}`)?.join() ?? '';
    assert.equal(one('StateDirectory'), '%N');
    assert.equal(one('WorkingDirectory'), '%S/%N');
    assert.match(one('Environment'), /STATECRON_SPOOL=%S\/%N\/spool/);
  }
});

test('the Dockerfile says each thing that a node needs, in an order that works', () => {
  const text = printTemplate('dockerfile').replace(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const words = lines.map((line) => line.split(' ')[0] ?? '');
  const known = [
    'FROM',
    'COPY',
    'RUN',
    'USER',
    'WORKDIR',
    'ENV',
    'VOLUME',
    'STOPSIGNAL',
    'HEALTHCHECK',
    'ENTRYPOINT',
    'CMD',
  ];
  assert.deepEqual(
    words.filter((word) => !known.includes(word)),
    [],
  );
  assert.equal(words[0], 'FROM');
  // What makes files and users is done by root, what runs is not.
  assert.ok(words.indexOf('RUN') < words.indexOf('USER'));
  assert.equal(words.lastIndexOf('RUN'), words.indexOf('RUN'));
  // A name in a registry is anybody's who takes it.
  const file = `statecron-${packageVersion()}.tgz`;
  assert.ok(lines.includes(`COPY ${file} /tmp/`) && text.includes(`install --global /tmp/${file}`));
  // What a volume is mounted on belongs to who runs there, else the mount is root's.
  const spool = lines.find((line) => line.startsWith('VOLUME '))?.slice('VOLUME '.length) ?? '';
  const made = `install --directory --owner statecron --mode 700 ${spool}`;
  assert.ok(spool !== '' && text.includes(made), spool);
  assert.ok(lines.includes(`ENV STATECRON_SPOOL=${spool}`));
  for (const word of ['ENTRYPOINT', 'CMD']) {
    const line = lines.find((each) => each.startsWith(`${word} `)) ?? '';
    assert.ok(Array.isArray(JSON.parse(line.slice(word.length))), `${word} needs no shell`);
  }
});

interface Compose {
  services: Record<
    string,
    {
      image?: string;
      command?: string[];
      secrets?: string[];
      volumes?: string[];
      environment?: Record<string, string>;
      depends_on?: Record<string, unknown>;
    }
  >;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
}

test('in the compose file everything that is named is there, and no password', () => {
  const compose = parse(printTemplate('compose'), { merge: true }) as Compose;
  const { services, volumes, secrets } = compose;
  for (const [name, service] of Object.entries(services)) {
    for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name} ${secret}`);
    for (const volume of service.volumes ?? []) {
      assert.ok((volume.split(':')[0] ?? '') in volumes, `${name} ${volume}`);
    }
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(other in services, other);
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      if (/PASSWORD/.test(variable)) assert.match(variable, /_FILE$/, value);
    }
  }
  const nodes = Object.values(services).filter(({ command }) => command?.[0] === 'node');
  assert.equal(new Set(nodes.map(({ command }) => command?.join())).size, 2, 'names of their own');
  assert.ok(nodes.every(({ depends_on: after }) => after !== undefined && 'migrate' in after));
});

/** The names of all metrics that the code makes, and of those that its library adds. */
function metricNames(): Set<string> {
  const metrics = new URL('../../../src/http/metrics/', import.meta.url);
  const text = readdirSync(metrics)
    .map((name) => readFileSync(new URL(name, metrics), 'utf8'))
    .join('\n');
  const whole = [...text.matchAll(/statecron_[a-z_]+/g)].map(([name]) => name);
  const made = [...text.matchAll(/(?:\bgauge\(\s*|\bname: |jobMetric = )'([a-z_]+)'/g)].map(
    ([, name]) => `statecron_${name}`,
  );
  return new Set([
    ...whole,
    ...made,
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ]);
}

function requireKnown(expression: string): void {
  const known = metricNames();
  const named = expression.match(/\b(?:statecron|nodejs|process)_[a-z0-9_]+/g) ?? [];
  assert.ok(named.length > 0, expression);
  for (const name of named) {
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    assert.ok(known.has(name) || known.has(base), `${name} in ${expression}`);
  }
  for (const [open, close] of ['()', '{}', '[]']) {
    const count = (sign = ''): number => expression.split(sign).length;
    assert.equal(count(open), count(close), expression);
  }
}

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

test('each alert is about metrics that there are, and says what to do', () => {
  const { groups } = parse(printTemplate('alerts')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length >= 10);
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  for (const { alert, expr, labels, annotations, for: time = '1m' } of rules) {
    assert.match(alert, /^Statecron[A-Z]\w+$/);
    requireKnown(expr);
    assert.match(time, /^\d+[smh]$/);
    assert.ok(['warning', 'critical'].includes(labels.severity));
    assert.ok(annotations.summary.length > 10 && annotations.description.length > 10, alert);
  }
});

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { expr: string; refId: string }[];
}

test('each panel of the dashboard is about metrics that there are, and none covers another', () => {
  const { panels } = JSON.parse(printTemplate('dashboard')) as { panels: Panel[] };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = new Set<string>();
  for (const { title, gridPos, targets } of panels) {
    assert.ok(targets.length > 0 && gridPos.x + gridPos.w <= 24, title);
    for (const { expr } of targets) requireKnown(expr);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(!cells.has(`${x}:${y}`), `${title} covers another`);
        cells.add(`${x}:${y}`);
      }
    }
  }
});

test('the command prints them, and names them when another is requested', async () => {
  const printed = await runCli(['print', 'compose']);
  assert.equal(printed.code, 0, printed.stderr);
  assert.equal(printed.stdout, printTemplate('compose'));
  const wrong = await runCli(['print', 'helm']);
  assert.equal(wrong.code, 2);
  for (const what of names) assert.ok(wrong.stderr.includes(what), wrong.stderr);
  const shells = [
    [['completion'], /print completion needs a shell\.\nhint: Give one of: bash, zsh, fish\./],
    [['unit', 'bash'], /print unit takes no shell\./],
    [['completion', 'csh'], /"csh" is not one of bash, zsh, fish\./],
  ] as const;
  for (const [args, text] of shells) {
    const { code, stderr, stdout } = await askCli(['print', ...args]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, text);
  }
});
