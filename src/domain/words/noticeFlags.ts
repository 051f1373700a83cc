import { noticeEvents } from '../notices/notice.ts';
import type { JobFlag } from './jobFlag.ts';
import { notifyDefaults } from './mergeNotify.ts';

const notices = 'Who is told:';

/** The words by which a job says who is told of what. */
export const noticeFlags: readonly JobFlag[] = [
  {
    ...{ flag: 'notify-to', value: 'target', kind: 'list', heading: notices },
    ...{ text: 'who is told (see statecron notify); may be repeated', without: 'nobody' },
  },
  {
    ...{ flag: 'notify-on', value: 'what', kind: 'choices', choices: noticeEvents },
    ...{ heading: notices, text: `of what (${notifyDefaults.join(',')})`, without: 'of nothing' },
  },
  {
    ...{ flag: 'long-running', value: 'duration', kind: 'duration', heading: notices },
    ...{ text: 'tell them of a run that takes longer, too', without: 'nothing is too long' },
  },
  {
    ...{ flag: 'ping', value: 'target', kind: 'list', heading: notices },
    ...{ text: 'a ping target to ask for at each start and end; repeatable', without: 'none' },
  },
];
