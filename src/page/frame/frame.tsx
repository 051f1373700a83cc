import { useSignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { callApi } from '../api/callApi.ts';
import { whyNotAllowed } from '../api/session.ts';
import { ConfirmDialog } from '../parts/confirm.tsx';
import { Empty } from '../parts/loaded.tsx';
import { Messages } from '../parts/messages.tsx';
import { PickDialog } from '../pick/pickDialog.tsx';
import { linkTo, place } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import { HelpDialog } from './helpDialog.tsx';
import { Navigation } from './navigation.tsx';
import { useRowClicks } from './rowClicks.ts';
import { findScreen, type Screen, type ScreenProps } from './screen.ts';
import { useShortcuts } from './shortcuts.ts';
import { OldNote } from './streamNote.tsx';

/** The navigation, and the screen that the URL names. */
export function Frame({ screens }: { readonly screens: readonly Screen[] }): JSX.Element {
  const { path } = place.value;
  useShortcuts(screens);
  useRowClicks();
  useEffect(() => {
    addEventListener('hashchange', closeDialogs);
    return () => removeEventListener('hashchange', closeDialogs);
  }, []);
  return (
    <div class="frame">
      <Navigation screens={screens} onSkip={skip} />
      <div class="stage">
        <OldNote />
        <main id="main" tabIndex={-1}>
          <Present screens={screens} path={path} />
        </main>
      </div>
      <Messages />
      <ConfirmDialog />
      <HelpDialog screens={screens} />
      <PickDialog />
    </div>
  );
}

/** What is asked is of the place that was left; a secret that is not shown again stays. */
function closeDialogs(): void {
  const open = document.querySelectorAll<HTMLDialogElement>('dialog[open]:not([data-stays])');
  for (const dialog of open) dialog.close();
}

/** `#main` would be taken for a place. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

interface PresentProps {
  readonly screens: readonly Screen[];
  readonly path: readonly string[];
}

function Present({ screens, path }: PresentProps): JSX.Element {
  const found = findScreen(screens, path);
  useEffect(() => {
    const names = Object.entries(found?.names ?? {});
    const title = found?.screen.title ?? 'Not found';
    const named = names.reduce((text, [name, value]) => text.replace(`:${name}`, value), title);
    document.title = `${showLine(named)} · statecron`;
  });
  if (found === null) {
    return (
      <Empty title="There is no such screen">
        <p>
          The link may be of another version. <a href={linkTo([])}>Go to the first screen</a>
        </p>
      </Empty>
    );
  }
  const { names, screen } = found;
  const whyNot = screen.needs === undefined ? null : whyNotAllowed(screen.needs);
  if (whyNot !== null) {
    return (
      <div class="screen">
        <header class="bar">
          <h1>{screen.title}</h1>
        </header>
        <Empty title="This needs another role">
          <p>{whyNot}</p>
        </Empty>
      </div>
    );
  }
  return <LoadedScreen key={path.join('/')} screen={screen} names={names} />;
}

/** By its row: what was loaded once is there at once. */
const loaded = new Map<Screen, ComponentType<ScreenProps>>();

function LoadedScreen({ screen, names }: { screen: Screen } & ScreenProps): JSX.Element | null {
  const isReady = useSignal(loaded.has(screen));
  const isMissing = useSignal(false);
  useEffect(() => {
    if (isReady.value) return;
    const keep = (component: ComponentType<ScreenProps>) => {
      loaded.set(screen, component);
      isReady.value = true;
    };
    screen.load().then(keep, () => {
      isMissing.value = true;
      // A proxy refuses files as well once the login is over.
      callApi('GET /caller').catch(() => undefined);
    });
  }, [screen, isReady, isMissing]);
  const Component = loaded.get(screen);
  if (isReady.value && Component !== undefined) return <Component names={names} />;
  if (!isMissing.value) return null;
  return (
    <Empty title="This screen could not be loaded">
      <p>The node does not answer, or it has another version now.</p>
      <button type="button" class="button main" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Empty>
  );
}
