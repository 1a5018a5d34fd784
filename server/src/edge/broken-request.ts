import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Answers, EdgeError } from './answer.ts';
import { hasBody } from './framing.ts';

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers what the parser refuses, without harm to the answer of an earlier request on the same connection. */
export function answerBrokenRequests(server: Server, answers: Answers): void {
  const latest = new WeakMap<Duplex, Exchange>();
  const broken = new WeakSet<Duplex>();
  const note = (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, { request, response });
  };
  server.on('request', note).on('checkContinue', note).on('checkExpectation', note);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    // Whatever comes after the first mistake on a connection is one too.
    if (broken.has(socket)) return;
    broken.add(socket);
    const exchange = latest.get(socket);
    if (!exchange || isOver(exchange)) return answers.giveRaw(socket, describeFailure(error));
    if (exchange.request.complete) return closeAfter(exchange.response, socket);
    return answerBrokenBody(exchange, socket, () =>
      answers.give(exchange.request, exchange.response, describeFailure(error)),
    );
  });
  server.on('connect', (_request, socket) => {
    // From here on nobody else looks after this connection.
    socket.once('finish', () => socket.destroy());
    answers.giveRaw(socket, noTunnel);
  });
}

/** A request that is not here in time is answered as one that broke off. */
export function limitRequestTime(server: Server, request: IncomingMessage, limitMs: number): void {
  if (request.complete || !hasBody(request)) return;
  const { socket } = request;
  const timer = setTimeout(() => {
    const error: NodeJS.ErrnoException = new Error('The request took too long');
    error.code = 'ERR_HTTP_REQUEST_TIMEOUT';
    if (!request.complete) server.emit('clientError', error, socket);
  }, limitMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

function isOver({ request, response }: Exchange): boolean {
  return request.complete && response.writableFinished;
}

/** The request is in order and is being answered; only what came after it is not. */
function closeAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  response.once('close', () => socket.end(() => socket.destroy()));
}

function answerBrokenBody({ response }: Exchange, socket: Duplex, answer: () => void): void {
  if (response.writableFinished) {
    socket.end(() => socket.destroy());
  } else if (response.writableEnded) {
    closeAfter(response, socket);
  } else if (response.headersSent) {
    // The api would wait in vain for the rest of the body, and the client for the rest of the answer.
    socket.destroy();
  } else {
    response.shouldKeepAlive = false;
    answer();
  }
}

function describeFailure({ code }: NodeJS.ErrnoException): EdgeError {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLargeHeaders;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  return notHttp;
}

export const tooLargeHeaders: EdgeError = {
  code: 'VA001',
  status: 431,
  title: 'The headers are too large',
  message: 'The headers are larger than 16 KiB.',
};
export const tooSlow: EdgeError = {
  code: 'VA001',
  status: 408,
  title: 'The request took too long',
  message: 'The request took too long.',
};
export const notHttp: EdgeError = {
  code: 'VA001',
  title: 'This request is not understood',
  message: 'This is not a valid HTTP request.',
};
export const unknownExpectation: EdgeError = { code: 'MT003', title: 'This is not understood' };
const noTunnel: EdgeError = {
  code: 'MT001',
  title: 'No tunnels here',
  message: 'This is not a proxy for other hosts.',
};
