import { randomBytes } from 'node:crypto';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type McpServerDeps } from './create-server.ts';
import { createQuestions } from './questions.ts';

/** Speaks on standard input and output until the client closes its end. Nothing else may write there. */
export async function serveOverStdio(
  deps: Pick<McpServerDeps, 'lilac' | 'isReadOnly'>,
  onError: (error: Error) => void,
): Promise<void> {
  const { stdin } = process;
  const clientHasGone = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  const questions = createQuestions(randomBytes(32));
  // Lists of tools never change while it runs: there is nothing to subscribe to.
  const serving = serveStdio(() => createServer({ ...deps, questions }), { onerror: onError, maxSubscriptions: 0 });
  await clientHasGone;
  await serving.close();
}
