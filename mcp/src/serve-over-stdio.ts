import { randomBytes } from 'node:crypto';
import { hasCode, SignedOut, type Lilac } from '@lilac/sdk';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer, type McpServerDeps } from './create-server.ts';
import { explainError } from './explain-error.ts';
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
  const ending = new AbortController();
  void complainOfCredential(deps.lilac, onError, ending.signal);
  await clientHasGone;
  ending.abort();
  await serving.close();
}

/** Who set it up should not have to wait for the first tool to hear of it. What is wrong otherwise, tools tell. */
async function complainOfCredential(lilac: Lilac, onError: (error: Error) => void, signal: AbortSignal): Promise<void> {
  try {
    await lilac.call('config.feature-flags', { signal });
  } catch (error) {
    const isRefused = error instanceof SignedOut || hasCode(error, 'CA001', 'CA002');
    if (isRefused) onError(new Error(explainError(error), { cause: error }));
  }
}
