import { didYouMean } from '../../domain/text/didYouMean.ts';
import { readGuide, type Topic } from '../../http/guide/guide.ts';
import { readMarkdown } from '../../http/guide/readMarkdown.ts';
import { printJson } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { printTable } from '../output/table/printTable.ts';
import { pageText } from './pageText.ts';
import { showPaged } from './showPaged.ts';

const widthMax = 100;
const widthOfPipes = 80;

/** `docs`: lists the pages, or shows one. */
export async function docsAction(
  name: string | undefined,
  { json = false }: { json?: boolean },
): Promise<void> {
  const { topics } = readGuide();
  if (name === undefined) return listTopics(topics, json);
  const given = name.replace(/\.md$/, '');
  const wanted = usualPages.get(given.toLowerCase()) ?? given;
  const begun = topics.filter((each) => wanted !== '' && each.name.startsWith(wanted));
  const only = begun.length === 1 ? begun[0] : undefined;
  const topic = topics.find((each) => each.name === wanted) ?? only;
  if (topic === undefined) throw missing(name, topics);
  if (json) return printJson({ topic: topic.name, summary: topic.summary, text: topic.text });
  const { columns = widthOfPipes, isTTY = false } = process.stdout;
  const isStyled = isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  await showPaged(pageText(readMarkdown(topic.text), Math.min(columns, widthMax), isStyled));
}

const firstPages = [
  ...['quickstart', 'quick-start', 'start', 'getting-started', 'tour', 'tutorial', 'readme'],
];

/** What people call the page that one begins with, and the one about their crontabs. */
const usualPages: ReadonlyMap<string, string> = new Map([
  ...firstPages.map((name) => [name, 'install'] as const),
  ...['cron', 'crontab'].map((name) => [name, 'moving-from-cron'] as const),
]);

function listTopics(topics: readonly Topic[], isJson: boolean): void {
  if (isJson) printJson(topics.map(({ name, summary }) => ({ topic: name, summary })));
  else {
    printTable(
      [
        { heading: 'TOPIC', of: ({ name }) => name },
        { heading: 'WHAT IT IS ABOUT', of: ({ summary }) => summary, wrapTo: 30 },
      ],
      topics,
    );
  }
}

function missing(name: string, topics: readonly Topic[]) {
  const names = topics.map((topic) => topic.name);
  return usageFault(
    `There is no page ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    `The pages: ${names.join(', ')}. See: statecron docs`,
  );
}
