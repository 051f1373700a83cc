import { tellFaults, tellTicks, tellVerdict } from './count.js';
import { draw, show, zoom } from './draw.js';
import { messagesOf } from './messages.js';
import { drawGantt, listViolations, openViolation } from './open.js';
import { atOf, byId, data, lanesSvg, left, overview, tip, view, width } from './scale.js';
import { element, findAt, showDetails, showTip } from './tell.js';

function positionOf(event) {
  const { left: x, top: y } = lanesSvg.getBoundingClientRect();
  return [event.clientX - x, event.clientY - y];
}

function listen() {
  let drag = null;
  lanesSvg.addEventListener(
    'wheel',
    (event) => {
      // Without a key the wheel scrolls the page, as everywhere.
      const isMove = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!isMove && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      if (isMove) {
        const by = (event.deltaX / width()) * (view.until - view.from);
        show(view.from + by, view.until + by);
      } else
        zoom(
          Math.exp(Math.max(-300, Math.min(300, event.deltaY)) * 0.0022),
          atOf(positionOf(event)[0]),
        );
    },
    { passive: false },
  );
  lanesSvg.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, from: view.from, until: view.until, moved: false };
  });
  addEventListener('pointerup', () => {
    lanesSvg.classList.remove('moving');
    setTimeout(() => {
      drag = null;
    });
  });
  lanesSvg.addEventListener('pointermove', (event) => {
    if (drag !== null && event.buttons === 1) {
      const by = ((drag.x - event.clientX) / (width() - left - 12)) * (drag.until - drag.from);
      drag.moved ||= Math.abs(drag.x - event.clientX) > 3;
      if (drag.moved) lanesSvg.classList.add('moving');
      show(drag.from + by, drag.until + by);
      tip.hidden = true;
    } else showTip(event, findAt(...positionOf(event)));
  });
  lanesSvg.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });
  lanesSvg.addEventListener('click', (event) => {
    if (drag?.moved) return;
    const found = findAt(...positionOf(event));
    if (found?.kind === 'violation') {
      openViolation(found.index);
      byId('first').scrollIntoView();
    }
    view.picked = found?.kind === 'bar' ? found.found : null;
    showDetails(found);
    if (view.picked !== null) {
      byId('details').append(element('h3', 'Messages'), ...messagesOf(view.picked.launch));
    }
    draw();
  });
  const centre = (event) => {
    if (event.buttons !== 1) return;
    const { left: x, width: wide } = overview.getBoundingClientRect();
    const at = ((event.clientX - x) / wide) * data.seconds;
    const half = Math.min(view.until - view.from, data.seconds / 5) / 2;
    show(at - half, at + half);
  };
  overview.addEventListener('pointerdown', centre);
  overview.addEventListener('pointermove', centre);
  byId('in').onclick = () => zoom(0.5);
  byId('out').onclick = () => zoom(2);
  byId('fit').onclick = () => show(0, data.seconds);
  byId('theme').onclick = () => {
    const { dataset } = document.documentElement;
    const isDark = dataset.theme
      ? dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    dataset.theme = isDark ? 'light' : 'dark';
  };
  addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    // With these keys they are the browser's.
    if (ctrlKey || metaKey || altKey) return;
    const many = data.violations.length;
    const by = (view.until - view.from) / 5;
    if (key === '+' || key === '=') zoom(0.5);
    else if (key === '-') zoom(2);
    else if (key === '0') show(0, data.seconds);
    else if (key === 'ArrowLeft') show(view.from - by, view.until - by);
    else if (key === 'ArrowRight') show(view.from + by, view.until + by);
    else if (key === 'j' && view.violation < many - 1) openViolation(view.violation + 1);
    else if (key === 'k' && view.violation > 0) openViolation(view.violation - 1);
  });
  addEventListener('resize', () => {
    draw();
    drawGantt();
  });
}

function begin() {
  tellVerdict();
  const legend = [
    ['succeeded', '--succeeded'],
    ['failed', '--failed'],
    ['lost', '--lost'],
    ['other result', '--other'],
    ['session; still going', '--going'],
    ['node stopped', '--band'],
    ['everything stopped', '--band-all'],
    ['violation', '--violation'],
  ].map(([name, colour]) => {
    const item = element('li');
    const swatch = element('i');
    swatch.style.background = `var(${colour})`;
    item.append(swatch, name);
    return item;
  });
  byId('legend').append(...legend);
  tellFaults();
  tellTicks();
  listen();
  listViolations();
  draw();
}

begin();
