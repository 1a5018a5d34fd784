import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ToolSource } from '../tools.ts';

const PLACE = '/home/tools/node';

/** The Node that runs the tests, whatever is wanted. */
export const ownNode: ToolSource = async () => ({
  mounts: [{ kind: 'folder', from: dirname(realpathSync(process.execPath)), at: PLACE, isWritable: false }],
  searchPath: [PLACE],
  env: {},
  node: { version: process.versions.node, at: PLACE, program: `${PLACE}/node` },
});
