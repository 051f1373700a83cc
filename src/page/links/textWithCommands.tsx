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
          showLine(piece)
        ) : (
          <a key={at} href={linkTo(piece.path, piece.query)} title={showLine(piece.command)}>
            {showLine(piece.word)}
          </a>
        ),
      )}
    </>
  );
}
