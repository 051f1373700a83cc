import { apiUrl } from '../live/liveFeed.ts';
import { nodeAway } from './apiProblem.ts';
import { answerMs, send } from './callApi.ts';

/**
 * Reads the drawing of a machine, of the `actors` or of the `lifecycle`, as an element. The browser
 * parses it while it loads, by XMLHttpRequest: DOMParser takes a Trusted Types policy. It comes
 * without its style sheet, which the page's policy forbids: the page has `chartColours.css`.
 * Throws ApiProblem.
 */
export function readDrawing(name: string, signal: AbortSignal): Promise<SVGSVGElement> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', `${apiUrl}machines/${encodeURIComponent(name)}/drawing?bare=true`);
    request.responseType = 'document';
    request.onload = () => {
      const root = request.response?.documentElement;
      if (root instanceof SVGSVGElement) return resolve(document.importNode(root, true));
      // An error is JSON, not a document: the request is repeated with fetch, which reads it.
      const path = { machine: name };
      send('GET /machines/{machine}/drawing', { path, signal }).then(
        () => reject(nodeAway()),
        reject,
      );
    };
    request.onerror = () => reject(nodeAway());
    request.timeout = answerMs;
    request.ontimeout = request.onerror;
    signal.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.send();
  });
}
