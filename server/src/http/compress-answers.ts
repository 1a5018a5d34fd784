import type { FastifyInstance } from 'fastify';
import { constants, gzip } from 'node:zlib';
import { acceptedCodings } from '../edge/static/negotiate-coding.ts';

/** A long build log is ten megabytes of text. Of less than this, little is spared. */
const WORTH_LETTERS = 16 * 1024;
/** A log is a tenth already; more would take far longer and spare little. */
const LEVEL = constants.Z_BEST_SPEED;

/**
 * Long answers travel compressed to whoever takes them so. Their length tells a listener nothing that somebody else
 * could bring into them: what may read them is in a header, which no other site can have a browser send.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = typeof payload === 'string' && payload.length >= WORTH_LETTERS;
    if (!isLong || request.method === 'HEAD' || reply.hasHeader('content-encoding')) return done();
    if (!acceptedCodings(request.headers['accept-encoding']?.toString() ?? '').includes('gzip')) return done();
    gzip(payload, { level: LEVEL }, (error, compressed) => {
      if (error) return done(error);
      void reply.header('content-encoding', 'gzip').removeHeader('content-length');
      done(null, compressed);
    });
  });
}
