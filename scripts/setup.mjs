import { buildConsole } from './build-console.mjs';
import { buildServer } from './build-server.mjs';
import { findNode } from './find-node.mjs';
import { installHostPackages } from './host-packages.mjs';
import { installPackages } from './install-packages.mjs';
import { installSchemathesis } from './install-schemathesis.mjs';
import { withSetUpLock } from './set-up-lock.mjs';
import { makeStackImage } from './stack-image.mjs';

/**
 * Everything that `npm start` and `npm test` need on a fresh clone, and nothing that is there
 * already. Runs on any Node from 18 on, without dependencies.
 */
export async function setUp({ forTests = false } = {}) {
  await withSetUpLock(async () => {
    await installPackages();
    findNode();
    await installHostPackages({ forTests });
    if (forTests) await makeStackImage();
    if (forTests) await installSchemathesis();
    await buildServer();
    await buildConsole();
  });
}
