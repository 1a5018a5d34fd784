import type { EdgeError } from '../answer.ts';

/** What the edge says at the address of an application that it cannot reach: why, and what to do. */

export const noSuchApp: EdgeError = {
  code: 'NF001',
  title: 'Nothing is here',
  message: 'No application lives at this address.',
};

export const nothingDeployed: EdgeError = {
  code: 'NF001',
  title: 'Nothing is deployed here yet',
  message: 'This address is taken, but nothing has been deployed to it yet.',
};

/** The environment has a domain of its own, and was to be reached at that alone. */
export const switchedOff: EdgeError = {
  code: 'NF001',
  title: 'This address was switched off',
  message: 'This application is not reached at this address any more.',
};

/** Nobody brought an instance in time. */
export const didNotWake: EdgeError = {
  code: 'SV002',
  title: 'This application did not wake up',
  message: 'It was asleep, and no instance of it could be started in time. Try again in a few seconds.',
  retryAfterSeconds: 5,
};

/** There are instances, but none listens. */
export const startsTooLong: EdgeError = {
  code: 'SV002',
  title: 'This application is still starting',
  message: 'Its instances were started, but none of them takes requests yet. Try again in a few seconds.',
  retryAfterSeconds: 5,
};

/** Every instance had as many requests as it may, all the time. */
export const busy: EdgeError = {
  code: 'SV002',
  title: 'This application is busy',
  message: 'Its instances have all the requests they can take, and none was finished in time. Try again shortly.',
  retryAfterSeconds: 5,
};

/** Too many wait already. */
export const tooManyWait: EdgeError = {
  code: 'SV002',
  title: 'This application is busy',
  message: 'More requests wait for this application than may be held. Try again shortly.',
  retryAfterSeconds: 2,
};

export const crashing: EdgeError = {
  code: 'SV002',
  title: 'This application keeps ending',
  message: 'Its instances end soon after they start. If it is yours, look at its logs. It is started again by itself.',
  retryAfterSeconds: 10,
};

/** The instance was connected to, and broke off. */
export const brokenAnswer: EdgeError = {
  code: 'SV004',
  title: 'The application broke off',
  message: 'The application ended the connection before it had answered. The request may have had an effect.',
  mayHaveHadEffect: true,
};

/** Its answer is not HTTP, or not to be told from something else. */
export const unreadableAnswer: EdgeError = {
  code: 'SV004',
  title: 'The application answered something else',
  message: 'What the application answered is not valid HTTP. The request may have had an effect.',
  mayHaveHadEffect: true,
};

export const slowAnswer: EdgeError = {
  code: 'SV005',
  title: 'The application took too long',
  message: 'The application did not answer in time. The request may have had an effect.',
  mayHaveHadEffect: true,
};
