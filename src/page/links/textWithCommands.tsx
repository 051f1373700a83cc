import type { JSX } from 'preact';
import { linkTo } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';
import { commandPieces } from './commandPieces.ts';

/** A sentence of the node's: where it names a command, the page's own way stands there. */
export function TextWithCommands({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {commandPieces(text).map((piece, at) =>
        typeof piece === 'string' ? (
          <TextWithDocs key={at} text={piece} />
        ) : (
          <a key={at} href={linkTo(piece.path, piece.query)} title={showLine(piece.command)}>
            {showLine(piece.word)}
          </a>
        ),
      )}
    </>
  );
}

const docs = /(\/docs\/[a-z-]+)/;

/** The page may be served below another path than `/`, so that such a link has none before it. */
function TextWithDocs({ text }: { readonly text: string }): JSX.Element {
  const pieces = showLine(text).split(docs);
  return (
    <>
      {pieces.map((piece, at) =>
        at % 2 === 0 ? (
          piece
        ) : (
          <a key={at} href={piece.slice(1)}>
            {piece}
          </a>
        ),
      )}
    </>
  );
}
