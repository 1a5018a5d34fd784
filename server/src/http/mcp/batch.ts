import { invalid } from '../../lib/fault.ts';

const MAX_MESSAGES = 20;
const READ_DOCUMENT = 'resources/read';

/** Clients of the older revisions may send several messages at once. */
export function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}

/** A short request must not ask for an answer without end: documents are large, and everything else is kept short. */
export function assertBatch(body: unknown): void {
  const messages = messagesOf(body);
  if (messages.length > MAX_MESSAGES) throw invalid(`Send at most ${MAX_MESSAGES} messages at once.`);
  const documents = messages.filter(isDocument).length;
  if (documents > 1) throw invalid('Send messages that read a resource one at a time.');
}

function isDocument(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === READ_DOCUMENT;
}
