import { after, before, describe, test } from 'node:test';
import { skip } from '../../browser/browserProgram.ts';
import { chooseByCommit } from '../../support/chooseByCommit.ts';
import { isPart } from '../../support/enginesNow.ts';
import { NotHereError } from '../../support/fetchMysql.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { FaultEngineName } from '../engines/faultEngine.ts';
import { faultKinds } from '../faults/faultKinds.ts';
import { whyMissing } from '../world/faultWorld.ts';
import { type BoardWorld, makeBoardWorld } from './boardWorld.ts';
import { pressFault } from './pressFault.ts';

/** Short, since statements that come once in a TTL are to be met within some seconds. */
const sessionTtl = '10s';
const isOfMembers = (kind: string): boolean => kind.startsWith('member');

/** All of them when it is run by its name, which takes ten minutes on a quiet machine. */
const kindsNow = isPart() ? chooseByCommit(faultKinds(), ({ kind }) => kind, 8) : faultKinds();

onBoardOf('mariadb', (kind) => !isOfMembers(kind));
onBoardOf('galera', isOfMembers);

function onBoardOf(engine: FaultEngineName, isChosen: (kind: string) => boolean): void {
  const kinds = kindsNow.filter(({ kind }) => isChosen(kind));
  if (kinds.length === 0) return;
  describe(`on the board of ${engine}`, { skip }, () => {
    let world: BoardWorld | NotHereError;
    const scope = lastFirst({ after });
    before(async () => {
      world = await makeBoardWorld(scope, engine, sessionTtl).catch((error: unknown) => {
        if (error instanceof NotHereError) return error;
        throw error;
      });
    });

    for (const kind of kinds) {
      test(`${kind.kind} takes effect and heals`, async (t) => {
        if (world instanceof NotHereError) return t.skip(`not run: ${world.message}`);
        const reason = whyMissing(kind, world.table.world);
        if (reason !== null) return t.skip(`not run: ${reason}`);
        await pressFault(kind, world);
      });
    }
  });
}
