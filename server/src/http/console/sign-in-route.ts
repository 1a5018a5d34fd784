import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import { Fault, invalid } from '../../lib/fault.ts';
import { encryptConsolePassword } from '../../modules/accounts/console-password.ts';
import { compileValidator } from '../validate.ts';

export interface SignInDeps {
  config: Pick<Config, 'publicUrl'>;
  clock: Clock;
  /** Shared with /api/auth/login, and with nobody else. */
  consolePasswordKey: Buffer;
}

interface Credentials {
  email: string;
  password: string;
}

/** What the endpoint behind does not see in clear; it judges the rest. */
const problemIn = compileValidator(
  {
    type: 'object',
    required: ['email', 'password'],
    properties: { email: { type: 'string' }, password: { type: 'string', minLength: 1, maxLength: 256 } },
  },
  'body',
);

const PASSED_ON = ['set-cookie', 'retry-after', 'www-authenticate', 'content-type'] as const;

/**
 * The console's back end. /api/auth/login takes a password only as this process encrypts it, so signing in
 * by password works in the console and nowhere else.
 */
export function registerSignIn(app: FastifyInstance, deps: SignInDeps): void {
  app.post('/console/sign-in', async (request, reply) => {
    assertFromConsole(request, deps.config);
    const problem = problemIn(request.body);
    if (problem) throw invalid(problem);
    const { email, password } = request.body as Credentials;
    const encrypted = await encryptConsolePassword(deps.consolePasswordKey, password, deps.clock);
    return await passOn(await callLogin(app, request, { email, password: encrypted }), reply);
  });
}

/** Browsers state where a request comes from; whoever does not is no browser. */
function assertFromConsole({ headers, originVerdict }: FastifyRequest, { publicUrl }: SignInDeps['config']): void {
  if (headers.origin === publicUrl.origin || originVerdict === 'same') return;
  throw new Fault('CA010', `Signing in by password is for the console only: open ${publicUrl.origin}.`);
}

/** Within the process, in the name of the same client: attempts are throttled by its address. */
async function callLogin(app: FastifyInstance, request: FastifyRequest, credentials: Credentials) {
  const { address, headers } = request;
  const own = URL.parse(request.ownOrigin);
  return await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: address,
    headers: {
      'content-type': 'application/json',
      // How the server learns these when it listens on the edge's socket; the cookie follows the host.
      'x-forwarded-for': address,
      ...(own && { 'x-forwarded-proto': own.protocol.slice(0, -1), 'x-forwarded-host': own.host, host: own.host }),
      ...(headers['user-agent'] ? { 'user-agent': headers['user-agent'] } : {}),
    },
    payload: JSON.stringify(credentials),
  });
}

async function passOn(answer: Awaited<ReturnType<typeof callLogin>>, reply: FastifyReply): Promise<FastifyReply> {
  for (const name of PASSED_ON) {
    const value = answer.headers[name];
    if (value !== undefined) reply.header(name, value);
  }
  return await reply.code(answer.statusCode).send(answer.rawPayload);
}
