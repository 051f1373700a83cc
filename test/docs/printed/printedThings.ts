import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { exitCodes } from '../../../src/domain/errors/errors.ts';
import { missingPaths } from '../../tidy/namedPaths.ts';
import { apiPaths } from './apiPaths.ts';
import { allFlags, commandLines, whyRefused } from './commandLines.ts';
import { knownVariables } from './knownVariables.ts';
import { type PrintedText, programTexts } from './printedTexts.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Something that a text names, and what is wrong with it, if anything. */
export interface PrintedThing {
  readonly kind: keyof typeof finders;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly fault: string | null;
}

type Finder = (text: PrintedText) => { readonly name: string; readonly fault: string | null }[];

/** Everything that a text names of the program. */
export function printedThings(text: PrintedText): PrintedThing[] {
  const kinds = Object.keys(finders) as (keyof typeof finders)[];
  return kinds.flatMap((kind) =>
    finders[kind](text).map((found) => ({ kind, path: text.path, line: text.line, ...found })),
  );
}

const finders = {
  'command lines': (text) =>
    commandLines(text).map((line) => {
      return { name: `statecron ${line.args.join(' ')}`, fault: whyRefused(line) };
    }),
  flags: (text) =>
    flagsIn(text).map((name) => {
      const isThere = allFlags.has(name) || (isOfWorkshop(text) && testFlags.has(name));
      return { name, fault: unless(isThere, 'no command has it') };
    }),
  variables: (text) =>
    matches(text.text, /(?<!\w)((?:STATECRON_|DATABASE_URL)[A-Z_]*(?<!_))\b(?!_)/g).map((name) => {
      const isThere = read.has(name) || (isOfWorkshop(text) && readByTests.has(name));
      return { name, fault: unless(isThere, 'nothing reads or sets it') };
    }),
  'exit codes': ({ text }) =>
    exitCodesIn(text).map((code) => ({
      name: `exit code ${code}`,
      fault: unless(endings.has(Number(code)), 'nothing of statecron ends with it'),
    })),
  'API paths': (text) =>
    isOfWorkshop(text)
      ? []
      : apiPaths(text).map(({ name, isThere }) => {
          return { name, fault: unless(isThere, 'there is no such route') };
        }),
  'npm scripts': ({ text }) =>
    [...text.matchAll(npmScript)].map(([line, run, short, args]) => {
      return { name: line.trim(), fault: whyNoScript(run ?? short ?? '', args ?? '') };
    }),
  'blocks that are not run': ({ info = '' }) =>
    matches(info, /^(no-run.*)/g).map((name) => ({
      name,
      fault: unless(/^no-run: \S/.test(name), 'it does not say why'),
    })),
  codes: ({ form, path: file, text }) => {
    if (form !== 'span' || !/^(?:docs\/(?!comparison)|README)/.test(file)) return [];
    // What begins with "ssl_" or "max_" is a setting of the servers, with "statecron_" a metric.
    return matches(text, /^((?!ssl_|max_|statecron_)[a-z]+(?:_[a-z0-9]+)+)$/g).map((name) => ({
      name,
      fault: unless(quoted.has(name), 'src has no such name'),
    }));
  },
  topics: (text) =>
    commandLines(text).flatMap(({ args: [command, topic, ...rest], isShort }) => {
      // "statecron docs shows the pages" is a sentence.
      if (isShort && rest.length > 0) return [];
      if (command !== 'docs' || topic === undefined || !/^[a-z]/.test(topic)) return [];
      const isThere = existsSync(path.join(root, `docs/${topic}.md`));
      return [{ name: `docs ${topic}`, fault: unless(isThere, 'there is no such page') }];
    }),
  'files of the repository': ({ path: file, form, text }) => {
    if (!file.endsWith('.md') || form === 'script') return [];
    const written = form === 'span' ? `\`${text}\`` : text;
    const named =
      written.match(/`[\w./-]+\.(?:ts|pl|sql)`|(?<![\w./$-])(?:src|test|docs)\/[\w./-]+/g) ?? [];
    return named.map((name) => {
      const [missing] = missingPaths({ path: file, text: name });
      return { name, fault: missing?.says ?? null };
    });
  },
} satisfies Record<string, Finder>;

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

function unless(isRight: boolean, fault: string): string | null {
  return isRight ? null : fault;
}

/** What is for those who change statecron: it may name their programs, and what they may add. */
function isOfWorkshop({ path: file }: PrintedText): boolean {
  return /^(?:CONTRIBUTING|ARCHITECTURE|test\/|docs\/(?:faults|performance)\.)/.test(file);
}

/** The flags of statecron in a sentence or in code font; command lines are parsed instead. */
function flagsIn({ form, path: file, text }: PrintedText): string[] {
  if (form === 'script' || file === 'CONTRIBUTING.md' || file.endsWith('Style.ts')) return [];
  const isShown = form === 'span' ? /^--[a-z]/.test(text) : /[a-z] /.test(text);
  if (!isShown || (file.includes('cli/print/') && !text.startsWith('#'))) return [];
  const ours = text.replace(otherPrograms, '');
  return matches(ours, /(?<![\w-])(--[a-z][a-z-]*[a-z])\b(?!=)/g);
}

const otherPrograms =
  /\b(?:apt-get|curl|docker|install|journalctl|npm|systemctl|useradd)\b[^|;&\n]*|--data-binary/g;

function exitCodesIn(text: string): string[] {
  const [, list = ''] = /Exit codes: ([^.]*)/.exec(text) ?? [];
  return [
    ...matches(text, /(?<!; )\b(?:exit code|exits?(?: with)?|end(?:s|ed)? with) (\d+)\b/gi),
    ...matches(list, /(\d+) [a-z]/g),
    ...matches(text, /ExitStatus=([\d ]+)/g).flatMap((codes) => codes.split(' ')),
  ];
}

/** Every name that stands in quotes in src. */
const quoted = new Set(
  programTexts('src').flatMap(({ text }) => matches(text, /['`"]([a-z][a-z0-9_]+)['`"]/g)),
);
const read = knownVariables('src');
const readByTests = knownVariables('test');
const testFlags = new Set(
  programTexts('test').flatMap(({ text }) => [
    ...matches(text, /(?<=['[ (\n])(--[a-z][a-z-]*[a-z])\b/g),
  ]),
);

const endings = new Set<number>([
  ...Object.values(exitCodes),
  ...Object.values(os.constants.signals).map((number) => 128 + number),
]);

const npmScript = /\bnpm (?:run ([\w:]+)|(test|start)\b)( -- [^|;&#\n`]*)?/g;

/** A script takes the flags that the program's folder names; a test takes folders of tests. */
function whyNoScript(script: string, args: string): string | null {
  const runs = scripts[script];
  if (runs === undefined) return 'package.json has no such script';
  const folder = path.dirname(/\btest\/\S+/.exec(runs)?.[0] ?? 'test/run.ts');
  const isNamed = (word: string) =>
    script === 'test'
      ? word === 'quick' || existsSync(path.join(root, 'test', word))
      : programTexts(folder).some(({ text }) => text.includes(word));
  const words = args.split(/\s+/).map((word) => /^(?:--)?([a-z][a-z-]+)$/.exec(word)?.[1]);
  const unknown = words.find((word) => word !== undefined && !isNamed(word));
  return unless(unknown === undefined, `it takes no ${unknown}`);
}

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
