/**
 * What many screens share, in one file that each of them loads (test/package/buildPage.ts): esbuild
 * makes a file for each set of screens that share anything, and a small one costs more than it has.
 */
import './api/readPages.ts';
import './api/useGrowing.ts';
import './api/useResource.ts';
import './parts/action.tsx';
import './parts/cards.tsx';
import './parts/choice.tsx';
import './parts/confirm.tsx';
import './parts/count.tsx';
import './parts/fieldChanges.tsx';
import './parts/runStrip.tsx';
import './parts/scrolls.tsx';
import './parts/section.tsx';
import './parts/statusBadge.tsx';
import './parts/timeText.tsx';
import './parts/word.tsx';
import './runs/runWords.ts';
import './state/isNarrow.ts';
import './text/formatDuration.ts';
import './text/formatNumber.ts';
import './text/formatTime.ts';
import './text/variablesOf.ts';
