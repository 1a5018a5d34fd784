import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Confirmation } from './define-tool.ts';
import type { Questions } from './questions.ts';

/** A tool cannot go on before the person has answered. */
export class InputNeeded extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super('A person has to answer first.');
    this.result = result;
  }
}

/** Why a tool did nothing, for the assistant to read. */
export class Refused extends Error {}

export interface ConfirmOptions extends Confirmation {
  context: ServerContext;
  /** As it was told at the beginning of the connection; what a request says of itself counts more. */
  clientCapabilities: ClientCapabilities | undefined;
  /** The argument of that name. */
  given: unknown;
  questions: Questions;
  tool: string;
  /** What else the tool was given, the organisation among it. */
  input: Record<string, unknown>;
  /** Whether something is deleted. */
  isDeletion: boolean;
  /** Throws when the credential may not do it. */
  assertAllowed: () => Promise<void>;
}

const ANSWER = 'confirmation';

/**
 * The person decides where the client can ask; an assistant that can ask nobody has to spell the name. Over HTTP,
 * before the revision in which every request says what its client can do, that is not known: then nothing is deleted,
 * lest an assistant agrees where a person could have been asked. Other changes are daily work, and the name will do.
 */
export async function confirm(options: ConfirmOptions): Promise<void> {
  const { context, consequence, isDeletion } = options;
  const capabilities = capabilitiesOf(context) ?? options.clientCapabilities;
  if (capabilities && canAsk(capabilities)) return await assertAgreed(options);
  const canSpell = capabilities !== undefined || !isDeletion;
  if (canSpell && options.given === options.name) return;
  await options.assertAllowed();
  throw canSpell ? notSpelt(options) : new Refused(`${consequence} Nothing was changed: ${CANNOT_BE_ASKED}`);
}

async function assertAgreed(options: ConfirmOptions): Promise<void> {
  const { context, questions, tool, input, consequence } = options;
  const question = { tool, input, consequence };
  const answer = inputResponse(context.mcpReq.inputResponses, ANSWER);
  if (answer.kind !== 'elicit' || !(await questions.wasAsked(question, context))) {
    await options.assertAllowed();
    throw new InputNeeded(formOf(options, await questions.mint(question, context)));
  }
  if (answer.action === 'accept' && answer.content?.['confirm'] === true) return;
  throw new Refused('The person did not agree. Nothing was changed; do not try again unless they ask for it.');
}

const CANNOT_BE_ASKED =
  'over HTTP, a client of this protocol version cannot be asked for the consent of the person. They can do it in the ' +
  'console or with the command "lilac", or connect by "lilac mcp", or by a client of protocol 2026-07-28.';

function notSpelt({ name, consequence }: Confirmation): Refused {
  return new Refused(
    `${consequence} Nothing was changed yet: this client cannot ask the person, so ask them yourself. ` +
      `When they agree, call this tool again with confirm: ${JSON.stringify(name)}.`,
  );
}

function formOf({ name, consequence, isDeletion }: ConfirmOptions, requestState: string): InputRequiredResult {
  const confirmation = inputRequired.elicit({
    message: consequence,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: `${isDeletion ? 'Yes, for good' : 'Yes'}: ${name}` } },
      required: ['confirm'],
    },
  });
  return inputRequired({ inputRequests: { [ANSWER]: confirmation }, requestState });
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  return (mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Who names no way of asking has forms, as before there was another. */
function canAsk({ elicitation }: ClientCapabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
