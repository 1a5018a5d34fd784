import type { Files } from './deploying.ts';

/** A server that says what it is asked to say: what the tests of logs deploy. */
export function talkingApp(): Files {
  return {
    'package.json': JSON.stringify({ name: 'talker', version: '1.0.0', private: true }),
    Procfile: 'web: exec node server.js\n',
    'server.js': SOURCE,
  };
}

const SOURCE = `
const { createServer } = require('node:http');
const { writeSync } = require('node:fs');

let longestPause = 0;
let lastBeat = performance.now();
setInterval(() => {
  longestPause = Math.max(longestPause, performance.now() - lastBeat);
  lastBeat = performance.now();
}, 5);

// So many numbered lines a second, as a program writes that is in a hurry: many in one call.
function chat(count, perSecond, done) {
  const begun = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * perSecond));
    let text = '';
    for (; said < due; said++) text += 'line ' + (said + 1) + ' of a talkative program that has a lot to say\\n';
    if (text) process.stdout.write(text);
    if (said < count) return;
    clearInterval(timer);
    done(performance.now() - begun);
  }, 5);
}

const paths = {
  '/': (_query, response) => response.end('hello'),
  '/say': (query, response) => { writeSync(query.get('to') === 'stderr' ? 2 : 1, query.get('text') + '\\n'); response.end(); },
  '/stamp': (_query, response) => { writeSync(1, 'written at ' + Date.now() + '\\n'); response.end(); },
  '/chat': (query, response) => {
    longestPause = 0;
    chat(Number(query.get('count')), Number(query.get('perSecond')), (ms) =>
      response.end(JSON.stringify({ ms, longestPause })));
  },
  '/fail': (_query, response) => { response.statusCode = 500; response.end(); },
};

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://talker');
  const answer = paths[pathname];
  if (answer) return answer(searchParams, response);
  response.statusCode = 404;
  response.end();
}).listen(process.env.PORT, '0.0.0.0');
`;
