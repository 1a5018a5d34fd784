/** Starting makes no sense until somebody changes something; the message says what, and there is no retry. */
export class StartRefused extends Error {}
