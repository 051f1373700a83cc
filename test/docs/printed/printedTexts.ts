import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { docPages } from '../../support/docPages.ts';
import { lineOf } from '../../tidy/sourceFile.ts';
import { isNode, parseSource, placeholder, type SyntaxNode, walk } from '../../tidy/syntax.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Something that people read. */
export interface PrintedText {
  readonly path: string;
  readonly line: number;
  /** A script for a shell, what stands in code font, or text with commands in it. */
  readonly form: 'script' | 'span' | 'prose';
  readonly text: string;
  /** What stands behind the sign that begins a block of code. */
  readonly info?: string | undefined;
}

/** The pages, the files of `statecron print`, and every text in the program, the API's too. */
export function printedTexts(): PrintedText[] {
  return [...printedPages(), ...printedFiles(), ...programTexts('src').flatMap(textsOfSource)];
}

/** The TypeScript and Perl below a folder. */
export function programTexts(folder: string): { path: string; text: string }[] {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(?:ts|pl)$/.test(name))
    .map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }));
}

/** What the files for systemd, Docker, Prometheus and Grafana say. */
function printedFiles(): PrintedText[] {
  const folder = 'src/cli/print';
  return readdirSync(path.join(root, folder))
    .filter((name) => !name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(path.join(root, folder, name), 'utf8');
      return text.split('\n').map((line, at) => {
        return { path: `${folder}/${name}`, line: at + 1, form: 'prose' as const, text: line };
      });
    });
}

/** The pages for users, and what changed. */
function printedPages(): PrintedText[] {
  const others = [
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'ARCHITECTURE.md',
    'test/README.md',
    'statecharts/README.md',
  ];
  const pages = others.map((name) => {
    return { path: name, text: readFileSync(path.join(root, name), 'utf8') };
  });
  return [...docPages(), ...pages].flatMap((page) => textsOfPage(page.path, page.text));
}

/** The blocks of code of a page, what stands in code font, and the rest. */
export function textsOfPage(file: string, text: string): PrintedText[] {
  const texts: PrintedText[] = [];
  let line = 1;
  for (const part of text.split(/^(```.*\n[\s\S]*?^```)$/m)) {
    const [, info, code] = /^```(.*)\n([\s\S]*?)```$/.exec(part) ?? [];
    const isScript = info !== undefined && /^(?:bash|sh|no-run.*)?$/.test(info);
    if (code !== undefined) {
      const form = isScript ? 'script' : 'prose';
      texts.push({ path: file, line: line + 1, form, text: code, info });
    } else {
      for (const found of part.matchAll(/(`+)([^`]+)\1/g)) {
        const at = line + part.slice(0, found.index).split('\n').length - 1;
        const span = (found[2] ?? '').replace(/\s*\n\s*/g, ' ').replaceAll('\\|', '|');
        texts.push({ path: file, line: at, form: 'span', text: span });
      }
      texts.push({ path: file, line, form: 'prose', text: part.replace(/(`+)[^`]+\1/g, '`') });
    }
    line += part.split('\n').length - 1;
  }
  return texts;
}

/** Each text that stands in a program, with `…` for what is put into it; `a + b` is one. */
export function textsOfSource({ path: file, text: source }: Source): PrintedText[] {
  const texts: PrintedText[] = [];
  // Reading the syntax is most of the work: it is done where there is something to be found.
  if (!file.endsWith('.ts') || !worthReading.test(source)) return texts;
  const tree = parseSource(source);
  walk(tree, (node, around) => {
    const parent = around.at(-1);
    if (parent === undefined || isJoined(parent) || parent.type.startsWith('Import')) return;
    const text = cookedText(node);
    if (text !== null) texts.push({ path: file, line: lineOf(node), form: 'prose', text });
  });
  return texts;
}

type Source = Pick<PrintedText, 'path' | 'text'>;
const worthReading =
  /statecron |STATECRON_|DATABASE_URL| --[a-z]|--[a-z-]+ |\/api\/v1|\/readyz|[Ee]xit|npm /;

function isJoined(node: SyntaxNode): boolean {
  return node.type === 'BinaryExpression' && node.operator === '+' && cookedText(node) !== null;
}

function cookedText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'StringLiteral') return node.value as string;
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[];
    return quasis.map((quasi) => quasi.value.cooked).join(placeholder);
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const [left, right] = [cookedText(node.left), cookedText(node.right)];
  return left === null && right === null ? null : `${left ?? placeholder}${right ?? placeholder}`;
}
