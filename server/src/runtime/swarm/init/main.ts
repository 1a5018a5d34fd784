import { readFileSync } from 'node:fs';
import { SECRET_FILE, type TaskSecret } from './agreement.ts';
import { serveControl } from './control-server.ts';
import { Program } from './program.ts';

/** The first process of a task: it brings the program, watches it, and answers for it until it is told to end. */
const secret = JSON.parse(readFileSync(SECRET_FILE, 'utf8')) as TaskSecret;
const program = new Program(secret);
serveControl(program, secret.token);

/** Less than the engine's own patience. */
const GRACE_MS = 8000;
process.on('SIGTERM', () => void program.stop(GRACE_MS).finally(() => process.exit(0)));
