import { readFileSync } from 'node:fs';
import { SECRET_FILE } from './agreement.ts';
import { serveControl } from './control-server.ts';
import { Program } from './program.ts';
import { unpackSecret } from './task-secret.ts';

/** The first process of a task: it brings the program, watches it, and answers for it until it is told to end. */
const secret = unpackSecret(readFileSync(SECRET_FILE));
const program = new Program(secret);
serveControl(program, secret.token);

/** Less than the engine's own patience. */
const GRACE_MS = 8000;
process.on('SIGTERM', () => void program.stop(GRACE_MS).finally(() => process.exit(0)));
